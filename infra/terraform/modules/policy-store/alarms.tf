module "alarms" {
  source    = "../alarms"
  name      = "${var.name}-database"
  topic_arn = var.alarm_topic_arn

  alarms = {
    cpu = {
      description = "The database is short of CPU"
      namespace   = "AWS/RDS"
      metric      = "CPUUtilization"
      statistic   = "Average"
      dimensions  = { DBClusterIdentifier = var.name }
      threshold   = 80
      periods     = 5
    }
    connections = {
      description = "More connections to the database than config-service's replicas should have"
      namespace   = "AWS/RDS"
      metric      = "DatabaseConnections"
      dimensions  = { DBClusterIdentifier = var.name, Role = "WRITER" }
      threshold   = var.connections_max
    }
    replica-lag = {
      description = "The instance that would take over is behind, in milliseconds"
      namespace   = "AWS/RDS"
      metric      = "AuroraReplicaLagMaximum"
      dimensions  = { DBClusterIdentifier = var.name }
      threshold   = 1000
    }
    memory = {
      description = "An instance of the database has less than 1 GB of memory left"
      namespace   = "AWS/RDS"
      metric      = "FreeableMemory"
      statistic   = "Minimum"
      dimensions  = { DBClusterIdentifier = var.name }
      when        = "<"
      threshold   = 1000000000
    }
  }
}

# Told where it is measured: in the copy's AWS region.
module "replica_alarms" {
  source    = "../alarms"
  providers = { aws = aws.replica }

  name      = "${var.name}-database"
  topic_arn = var.replica_alarm_topic_arn

  alarms = {
    global-lag = {
      description = "The copy in another AWS region is more than 5 s behind: so much would be lost with this one"
      namespace   = "AWS/RDS"
      metric      = "AuroraGlobalDBReplicationLag"
      dimensions  = { DBClusterIdentifier = aws_rds_cluster.replica.cluster_identifier }
      threshold   = 5000
      periods     = 5
      missing     = "breaching"
    }
  }
}
