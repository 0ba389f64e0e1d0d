# The drills on the centre; each region has its own.
module "drills" {
  source    = "../../modules/drills"
  providers = { aws = aws.us_east }

  name        = local.centre_name
  account_id  = var.account_id
  aws_region  = local.centre_region
  key_arn     = module.foundation.key_arn
  stop_alarms = [module.balancer.alarm_arns["balancer-failures"]]

  # Partitions are spread over the replicas, so that every one of them leads some.
  stop_task = { kill-leader = { cluster = module.foundation.cluster.name, service = module.sync.service_name } }

  cut_off = {
    kafka-outage = { subnet_arns = module.network.subnet_arns["kafka"], scope = "all" }
    postgres-cut = { subnet_arns = module.network.subnet_arns["database"], scope = "all" }
  }

  database_failover = { postgres-outage = { cluster_arn = module.policy_store.cluster_arn } }
}
