module "drills" {
  source       = "../drills"
  name         = local.place
  account_id   = var.platform.account_id
  aws_region   = local.aws_region
  key_arn      = module.foundation.key_arn
  stop_alarms  = [module.limiter.alarm_arns["failed-answers"], module.balancer.alarm_arns["balancer-failures"]]
  stop_task    = { kill-limiter = { cluster = module.foundation.cluster.name, service = module.limiter.service_name } }
  cut_off      = { cut-one-region = { subnet_arns = module.network.subnet_arns["service"], scope = "vpc" } }
  redis_outage = { kill-redis = { replication_group_arn = aws_elasticache_replication_group.this.arn, zone = var.settings.zones[0] } }

  slow_link = var.settings.drill_agent == null ? {} : {
    slow-link-300ms = { cluster = module.foundation.cluster.name, service = module.limiter.service_name, to = var.centre.kafka_cidr, milliseconds = 300 }
  }
  lost_port = var.settings.drill_agent == null ? {} : {
    freeze-redis = { cluster = module.foundation.cluster.name, service = module.limiter.service_name, port = local.redis_port }
  }
}
