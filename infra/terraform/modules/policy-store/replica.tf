# The copy in another AWS region. Nobody reads it; when the centre's AWS region is lost it is promoted, and config-service is started there.
resource "aws_rds_cluster" "replica" {
  provider = aws.replica

  cluster_identifier              = "${var.name}-replica"
  global_cluster_identifier       = aws_rds_global_cluster.this.id
  engine                          = local.engine
  engine_version                  = var.engine_version
  db_subnet_group_name            = aws_db_subnet_group.replica.name
  vpc_security_group_ids          = [aws_security_group.replica.id]
  db_cluster_parameter_group_name = aws_rds_cluster_parameter_group.replica.name
  storage_encrypted               = true
  kms_key_id                      = var.replica_key_arn
  backup_retention_period         = var.backup_days
  copy_tags_to_snapshot           = true
  deletion_protection             = var.deletion_protection
  skip_final_snapshot             = false
  final_snapshot_identifier       = "${var.name}-replica-final"

  # A copy of what is there: the primary must be up first.
  depends_on = [aws_rds_cluster_instance.primary]

  lifecycle {
    ignore_changes = [engine_version, replication_source_identifier]
  }
}

resource "aws_rds_cluster_instance" "replica" {
  provider = aws.replica

  identifier                      = "${var.name}-replica-1"
  cluster_identifier              = aws_rds_cluster.replica.id
  engine                          = local.engine
  instance_class                  = var.instance_class
  publicly_accessible             = false
  performance_insights_enabled    = true
  performance_insights_kms_key_id = var.replica_key_arn
  auto_minor_version_upgrade      = false
}

resource "aws_db_subnet_group" "replica" {
  provider = aws.replica

  name       = "${var.name}-replica"
  subnet_ids = var.replica_subnet_ids
}

# Nobody, until it is promoted.
resource "aws_security_group" "replica" {
  provider = aws.replica

  name        = "${var.name}-replica-database"
  description = "Copy of the database: nobody until it is promoted"
  vpc_id      = var.replica_vpc_id

  ingress = []
  egress  = []
}

resource "aws_rds_cluster_parameter_group" "replica" {
  provider = aws.replica

  name   = "${var.name}-replica"
  family = local.family

  parameter {
    name  = "rds.force_ssl"
    value = "1"
  }
}
