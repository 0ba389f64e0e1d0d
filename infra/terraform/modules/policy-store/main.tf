# The truth of policies, audit and history: Aurora PostgreSQL, with a copy in another AWS region that can be promoted if this one is
# lost. Limits go on without either.
resource "aws_rds_global_cluster" "this" {
  global_cluster_identifier = var.name
  engine                    = local.engine
  engine_version            = var.engine_version
  database_name             = local.database
  storage_encrypted         = true
  deletion_protection       = var.deletion_protection
}

locals {
  engine   = "aurora-postgresql"
  database = "meridian"
  port     = 5432
}

resource "aws_rds_cluster" "primary" {
  cluster_identifier        = var.name
  global_cluster_identifier = aws_rds_global_cluster.this.id
  engine                    = local.engine
  engine_version            = var.engine_version
  database_name             = local.database
  port                      = local.port

  # Aurora does not manage the password of a cluster that is part of a global database. Secrets Manager makes it instead, and it passes
  # through here without being kept: neither state nor plan holds it. A higher version writes it anew.
  master_username            = local.admin
  master_password_wo         = jsondecode(ephemeral.aws_secretsmanager_secret_version.admin.secret_string)["password"]
  master_password_wo_version = var.password_version

  db_subnet_group_name            = aws_db_subnet_group.primary.name
  vpc_security_group_ids          = [aws_security_group.primary.id]
  db_cluster_parameter_group_name = aws_rds_cluster_parameter_group.primary.name
  storage_encrypted               = true
  kms_key_id                      = var.key_arn

  backup_retention_period         = var.backup_days
  preferred_backup_window         = "02:00-02:30"
  copy_tags_to_snapshot           = true
  deletion_protection             = var.deletion_protection
  skip_final_snapshot             = false
  final_snapshot_identifier       = "${var.name}-final"
  enabled_cloudwatch_logs_exports = ["postgresql"]

  depends_on = [aws_cloudwatch_log_group.primary]

  # The version of a global database is raised on the global cluster.
  lifecycle {
    ignore_changes = [engine_version]
  }
}

# The first writes, the others take over.
resource "aws_rds_cluster_instance" "primary" {
  count = var.instances

  identifier                      = "${var.name}-${count.index + 1}"
  cluster_identifier              = aws_rds_cluster.primary.id
  engine                          = local.engine
  instance_class                  = var.instance_class
  publicly_accessible             = false
  performance_insights_enabled    = true
  performance_insights_kms_key_id = var.key_arn
  auto_minor_version_upgrade      = false
}

resource "aws_db_subnet_group" "primary" {
  name       = var.name
  subnet_ids = var.subnet_ids
}

# The rules stand in the group itself, so that one added by hand is taken away again.
resource "aws_security_group" "primary" {
  name        = "${var.name}-database"
  description = "Database: config-service"
  vpc_id      = var.vpc_id

  ingress {
    description     = "config-service"
    from_port       = local.port
    to_port         = local.port
    protocol        = "tcp"
    security_groups = [var.client_security_group_id]
  }

  egress = []
}

# Who does not speak TLS is refused.
resource "aws_rds_cluster_parameter_group" "primary" {
  name   = var.name
  family = local.family

  parameter {
    name  = "rds.force_ssl"
    value = "1"
  }
}

resource "aws_cloudwatch_log_group" "primary" {
  name              = "/aws/rds/cluster/${var.name}/postgresql"
  retention_in_days = 30
  kms_key_id        = var.key_arn
}

locals {
  admin  = "meridian"
  family = "${local.engine}${split(".", var.engine_version)[0]}"
}

module "admin" {
  source      = "../secret"
  name        = "${var.name}/database"
  description = "Database user of config-service, which also brings the schema up to date"
  username    = local.admin
  key_arn     = var.key_arn
}

ephemeral "aws_secretsmanager_secret_version" "admin" {
  provider = aws.secrets

  secret_id = module.admin.arn
}
