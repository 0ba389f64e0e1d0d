output "limiter" {
  description = "The limiters: names under which they are called, number of tasks, neighbours they may call, what they are told."
  value = {
    names       = module.dns.names
    tasks       = module.limiter.tasks
    reaches     = module.limiter.reaches
    environment = module.limiter.environment
    secrets     = module.limiter.secrets
  }
}

output "limiter_security_group_id" {
  description = "The security group of the limiters."
  value       = module.limiter.security_group_id
}

output "balancer_is_internal" {
  description = "Whether the load balancer has private addresses only."
  value       = module.balancer.internal
}

output "balancer_route_table_id" {
  description = "Where whoever joins callers' networks to this one adds the way back to them."
  value       = module.network.route_table_ids["balancer"]
}

output "vpc_id" {
  description = "The network of the region."
  value       = module.network.vpc_id
}

output "service_cidr" {
  description = "The addresses of the limiters: what Kafka admits."
  value       = module.network.tier_cidrs["service"]
}

output "redis_admits" {
  description = "Who may reach the region's Redis."
  value       = [for rule in aws_security_group.redis.ingress : { port = rule.to_port, security_groups = rule.security_groups == null ? [] : rule.security_groups, cidrs = rule.cidr_blocks == null ? [] : rule.cidr_blocks }]
}

output "latency_regions" {
  description = "For each shared name the AWS region to which latency is measured."
  value       = module.dns.latency_regions
}

output "alarms" {
  description = "The names of the region's alarms."
  value       = setunion(module.limiter.alarm_names, [for name in module.redis_alarms.names : "redis-${name}"], keys(module.balancer.alarm_arns))
}

output "key_arn" {
  description = "The key of all that the region keeps."
  value       = module.foundation.key_arn
}

output "drills" {
  description = "The experiment templates of the region, by the name of the drill."
  value       = module.drills.templates
}
