locals {
  redis_nodes = { for number in range(1, var.settings.redis.nodes + 1) : format("%03d", number) => "${local.place}-${format("%03d", number)}" }

  redis_alarms = {
    memory = {
      description = "Redis of ${var.name} is filling up; full, it refuses and limiters decide without it"
      metric      = "DatabaseMemoryUsagePercentage"
      threshold   = 75
    }
    engine-cpu = {
      description = "Redis of ${var.name} is short of CPU: its one thread runs all scripts"
      metric      = "EngineCPUUtilization"
      threshold   = 80
    }
    evictions = {
      description = "Redis of ${var.name} evicts, which it must never do: a grant may be spent twice"
      metric      = "Evictions"
      threshold   = 0
    }
    replication-lag = {
      description = "A replica in ${var.name} is behind: after a failover so many seconds of regional counts are missing"
      metric      = "ReplicationLag"
      threshold   = 1
    }
  }
}

module "redis_alarms" {
  source    = "../alarms"
  name      = "${local.place}-redis"
  topic_arn = module.foundation.alarm_topic_arn

  alarms = merge([
    for number, node in local.redis_nodes : {
      for name, alarm in local.redis_alarms : "${name}-${number}" => merge(alarm, {
        namespace  = "AWS/ElastiCache"
        dimensions = { CacheClusterId = node, CacheNodeId = "0001" }
      })
    }
  ]...)
}
