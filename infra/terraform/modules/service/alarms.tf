locals {
  behind_balancer = {
    LoadBalancer = var.balancer.arn_suffix
    TargetGroup  = aws_lb_target_group.this.arn_suffix
  }
  in_cluster = { ClusterName = var.cluster.name, ServiceName = aws_ecs_service.this.name }
}

module "alarms" {
  source    = "../alarms"
  name      = var.name
  topic_arn = var.alarm_topic_arn

  alarms = {
    failed-answers = {
      description = "More than 1 % of the answers of ${var.name} are 5xx"
      namespace   = "AWS/ApplicationELB"
      metric      = "HTTPCode_Target_5XX_Count"
      percent_of  = "RequestCount"
      dimensions  = local.behind_balancer
      threshold   = 1
      periods     = 2
      missing     = "notBreaching"
    }
    slow-answers = {
      description = "p99 of ${var.name} is above ${var.p99_seconds} s, as the load balancer sees it"
      namespace   = "AWS/ApplicationELB"
      metric      = "TargetResponseTime"
      statistic   = "p99"
      dimensions  = local.behind_balancer
      threshold   = var.p99_seconds
      periods     = 2
      missing     = "notBreaching"
    }
    unhealthy-tasks = {
      description = "Tasks of ${var.name} do not say that they are ready"
      namespace   = "AWS/ApplicationELB"
      metric      = "UnHealthyHostCount"
      dimensions  = local.behind_balancer
      threshold   = 0
    }
    missing-tasks = {
      description = "Fewer than ${var.tasks.min} tasks of ${var.name} run"
      namespace   = "ECS/ContainerInsights"
      metric      = "RunningTaskCount"
      statistic   = "Minimum"
      dimensions  = local.in_cluster
      when        = "<"
      threshold   = var.tasks.min
      missing     = "breaching"
    }
    cpu = {
      description = "Tasks of ${var.name} are short of CPU; budgets are milliseconds"
      namespace   = "AWS/ECS"
      metric      = "CPUUtilization"
      statistic   = "Average"
      dimensions  = local.in_cluster
      threshold   = 85
    }
    memory = {
      description = "Tasks of ${var.name} are short of memory"
      namespace   = "AWS/ECS"
      metric      = "MemoryUtilization"
      dimensions  = local.in_cluster
      threshold   = 90
    }
  }
}
