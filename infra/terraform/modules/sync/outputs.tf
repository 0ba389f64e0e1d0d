output "security_group_id" {
  description = "The security group of its tasks."
  value       = module.service.security_group_id
}

output "service_name" {
  description = "Its name in the cluster."
  value       = module.service.service_name
}

output "tasks" {
  description = "How few and how many tasks run."
  value       = module.service.tasks
}

output "reaches" {
  description = "The port of each neighbour it may call."
  value       = module.service.reaches
}

output "environment" {
  description = "What its tasks are told, secrets aside."
  value       = module.service.environment
}

output "secrets" {
  description = "The names of the variables that are taken from secrets."
  value       = module.service.secrets
}

output "alarm_arns" {
  description = "Its alarms by name."
  value       = module.service.alarm_arns
}

output "alarms" {
  description = "The names of its alarms."
  value       = module.service.alarm_names
}
