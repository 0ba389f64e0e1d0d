# Our drills' faults as experiment templates of AWS FIS, under the drills' own names. FIS makes the fault, in production if need be;
# the load and the verdict are still `meridian drill`'s. An experiment stops by itself when one of the alarms is raised.
locals {
  stop_task = {
    for name, fault in var.stop_task : name => {
      description = "Stops one task of ${fault.service}"
      action      = "aws:ecs:stop-task"
      parameters  = {}
      target_key  = "Tasks"
      target_type = "aws:ecs:task"
      selection   = "COUNT(1)"
      arns        = []
      selector    = { cluster = fault.cluster, service = fault.service }
    }
  }

  cut_off = {
    for name, fault in var.cut_off : name => {
      description = "Cuts subnets off: ${fault.scope == "vpc" ? "nothing leaves or enters the network from there" : "nothing leaves or enters them"}"
      action      = "aws:network:disrupt-connectivity"
      parameters  = { duration = var.duration, scope = fault.scope }
      target_key  = "Subnets"
      target_type = "aws:ec2:subnet"
      selection   = "ALL"
      arns        = fault.subnet_arns
      selector    = {}
    }
  }

  redis_outage = {
    for name, fault in var.redis_outage : name => {
      description = "Takes the power from the Redis nodes in ${fault.zone}; a replica elsewhere is promoted"
      action      = "aws:elasticache:replicationgroup-interrupt-az-power"
      parameters  = { duration = var.duration }
      target_key  = "ReplicationGroups"
      target_type = "aws:elasticache:replicationgroup"
      selection   = "ALL"
      arns        = [fault.replication_group_arn]
      selector    = { availabilityZoneIdentifier = fault.zone }
    }
  }

  database_failover = {
    for name, fault in var.database_failover : name => {
      description = "Fails the database over to its other instance"
      action      = "aws:rds:failover-db-cluster"
      parameters  = {}
      target_key  = "Clusters"
      target_type = "aws:rds:cluster"
      selection   = "ALL"
      arns        = [fault.cluster_arn]
      selector    = {}
    }
  }

  slow_link = {
    for name, fault in var.slow_link : name => {
      description = "Adds ${fault.milliseconds} ms on the way from ${fault.service} to ${fault.to}"
      action      = "aws:ecs:task-network-latency"
      parameters = {
        duration                      = var.duration
        delayMilliseconds             = tostring(fault.milliseconds)
        jitterMilliseconds            = "20"
        sources                       = fault.to
        useEcsFaultInjectionEndpoints = "true"
      }
      target_key  = "Tasks"
      target_type = "aws:ecs:task"
      selection   = "ALL"
      arns        = []
      selector    = { cluster = fault.cluster, service = fault.service }
    }
  }

  lost_port = {
    for name, fault in var.lost_port : name => {
      description = "Loses all that ${fault.service} sends to port ${fault.port}"
      action      = "aws:ecs:task-network-blackhole-port"
      parameters = {
        duration                      = var.duration
        port                          = tostring(fault.port)
        protocol                      = "tcp"
        trafficType                   = "egress"
        useEcsFaultInjectionEndpoints = "true"
      }
      target_key  = "Tasks"
      target_type = "aws:ecs:task"
      selection   = "ALL"
      arns        = []
      selector    = { cluster = fault.cluster, service = fault.service }
    }
  }

  templates = merge(local.stop_task, local.cut_off, local.redis_outage, local.database_failover, local.slow_link, local.lost_port)
}

resource "aws_fis_experiment_template" "this" {
  for_each = local.templates

  description = "${var.name}: ${each.value.description}"
  role_arn    = aws_iam_role.this.arn

  dynamic "stop_condition" {
    for_each = var.stop_alarms
    content {
      source = "aws:cloudwatch:alarm"
      value  = stop_condition.value
    }
  }

  action {
    name      = each.key
    action_id = each.value.action

    dynamic "parameter" {
      for_each = each.value.parameters
      content {
        key   = parameter.key
        value = parameter.value
      }
    }

    target {
      key   = each.value.target_key
      value = "what-is-broken"
    }
  }

  target {
    name           = "what-is-broken"
    resource_type  = each.value.target_type
    selection_mode = each.value.selection
    resource_arns  = length(each.value.arns) == 0 ? null : each.value.arns
    parameters     = length(each.value.selector) == 0 ? null : each.value.selector
  }

  log_configuration {
    log_schema_version = 2
    cloudwatch_logs_configuration {
      log_group_arn = "${aws_cloudwatch_log_group.this.arn}:*"
    }
  }

  tags = { Name = "${var.name}-${each.key}", Drill = each.key }
}

resource "aws_cloudwatch_log_group" "this" {
  name              = "/${var.name}/drills"
  retention_in_days = 90
  kms_key_id        = var.key_arn
}
