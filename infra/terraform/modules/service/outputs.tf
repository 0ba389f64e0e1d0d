output "security_group_id" {
  description = "The security group of its tasks."
  value       = aws_security_group.this.id
}

output "service_name" {
  description = "Its name in the cluster."
  value       = aws_ecs_service.this.name
}

output "environment" {
  description = "What its tasks are told, secrets aside."
  value       = local.environment
}

output "secrets" {
  description = "The names of the variables that are taken from secrets."
  value       = toset(keys(var.secrets))
}

output "reaches" {
  description = "The port of each neighbour it may call."
  value       = { for neighbour, rule in aws_vpc_security_group_egress_rule.neighbours : neighbour => rule.to_port }
}

output "tasks" {
  description = "How few and how many tasks run."
  value       = { min = aws_appautoscaling_target.this.min_capacity, max = aws_appautoscaling_target.this.max_capacity }
}

output "alarm_arns" {
  description = "Its alarms by name."
  value       = module.alarms.arns
}

output "alarm_names" {
  description = "The names of its alarms."
  value       = module.alarms.names
}
