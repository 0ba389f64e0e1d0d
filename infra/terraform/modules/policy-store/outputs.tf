output "cluster_arn" {
  description = "The database at the centre."
  value       = aws_rds_cluster.primary.arn
}

output "security_group_id" {
  description = "The security group of the database at the centre."
  value       = aws_security_group.primary.id
}

output "address" {
  description = "Where it is: host and port of the writer, and the database's name."
  value       = { host = aws_rds_cluster.primary.endpoint, port = local.port, database = local.database }
}

output "secret_arn" {
  description = "The secret with its user and password."
  value       = module.admin.arn
}

output "admits" {
  description = "Who may reach the database, and its copy."
  value = {
    primary = [for rule in aws_security_group.primary.ingress : { port = rule.to_port, security_groups = rule.security_groups == null ? [] : rule.security_groups, cidrs = rule.cidr_blocks == null ? [] : rule.cidr_blocks }]
    replica = [for rule in aws_security_group.replica.ingress : { port = rule.to_port, security_groups = rule.security_groups == null ? [] : rule.security_groups, cidrs = rule.cidr_blocks == null ? [] : rule.cidr_blocks }]
  }
}

output "alarms" {
  description = "The names of the alarms."
  value       = setunion(module.alarms.names, module.replica_alarms.names)
}
