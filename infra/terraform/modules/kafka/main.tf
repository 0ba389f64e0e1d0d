# The one Kafka, at the centre: three brokers in three zones, reached from all regions. Users are known by SCRAM over TLS, which our
# clients speak by plain settings; IAM would need a library of AWS inside each service.
resource "aws_msk_cluster" "this" {
  cluster_name           = var.name
  kafka_version          = var.kafka_version
  number_of_broker_nodes = length(var.subnet_ids)
  enhanced_monitoring    = "PER_BROKER"

  broker_node_group_info {
    client_subnets  = var.subnet_ids
    instance_type   = var.broker_type
    security_groups = [aws_security_group.this.id]

    storage_info {
      ebs_storage_info {
        volume_size = var.volume_gib
      }
    }
  }

  configuration_info {
    arn      = aws_msk_configuration.this.arn
    revision = aws_msk_configuration.this.latest_revision
  }

  client_authentication {
    unauthenticated = false
    sasl {
      scram = true
    }
  }

  encryption_info {
    encryption_at_rest_kms_key_arn = var.key_arn
    encryption_in_transit {
      client_broker = "TLS"
      in_cluster    = true
    }
  }

  logging_info {
    broker_logs {
      cloudwatch_logs {
        enabled   = true
        log_group = aws_cloudwatch_log_group.this.name
      }
    }
  }

  lifecycle {
    prevent_destroy = true
  }
}

locals {
  # The listener of SCRAM over TLS.
  port = 9096

  # The same as local-stack's KafkaProperties where MSK lets us. It does not let us set
  # transaction.abort.timed.out.transaction.cleanup.interval.ms (10 s instead of our 0.5 s): see the README.
  broker_settings = {
    "auto.create.topics.enable"                = false
    "default.replication.factor"               = 3
    "min.insync.replicas"                      = 2
    "unclean.leader.election.enable"           = false
    "offsets.topic.replication.factor"         = 3
    "transaction.state.log.replication.factor" = 3
    "transaction.state.log.min.isr"            = 2
    # A dead leader is replaced soon: sync replicas ask for a session of 1.5 s.
    "group.min.session.timeout.ms"     = 1000
    "group.initial.rebalance.delay.ms" = 0
    # Whoever has no ACL may do nothing, once there are ACLs.
    "allow.everyone.if.no.acl.found" = !var.acls_defined
  }
}

resource "aws_msk_configuration" "this" {
  name              = var.name
  kafka_versions    = [var.kafka_version]
  server_properties = join("\n", [for key, value in local.broker_settings : "${key}=${value}"])

  lifecycle {
    create_before_destroy = true
  }
}

# Limiters come by addresses, for a security group of another region cannot be named; sync and config, which are neighbours, by theirs.
# The rules stand in the group itself, so that one added by hand is taken away again.
resource "aws_security_group" "this" {
  name        = "${var.name}-kafka"
  description = "Kafka: limiters of all regions, sync, config"
  vpc_id      = var.vpc_id

  dynamic "ingress" {
    for_each = var.limiter_cidrs
    content {
      description = "Limiters of ${ingress.key}"
      from_port   = local.port
      to_port     = local.port
      protocol    = "tcp"
      cidr_blocks = [ingress.value]
    }
  }

  dynamic "ingress" {
    for_each = var.client_security_groups
    content {
      description     = ingress.key
      from_port       = local.port
      to_port         = local.port
      protocol        = "tcp"
      security_groups = [ingress.value]
    }
  }

  egress = []
}

resource "aws_cloudwatch_log_group" "this" {
  name              = "/${var.name}/kafka"
  retention_in_days = 30
  kms_key_id        = var.key_arn
}
