output "cluster_arn" {
  description = "The cluster, to which regions add their users."
  value       = aws_msk_cluster.this.arn
}

output "port" {
  description = "The port for clients."
  value       = local.port
}

output "security_group_id" {
  description = "The security group of the brokers."
  value       = aws_security_group.this.id
}

output "client_environment" {
  description = "What a service is told to reach Kafka. User and password are variables of their own, which come from a secret."
  value = {
    KAFKA_BOOTSTRAP_SERVERS                     = aws_msk_cluster.this.bootstrap_brokers_sasl_scram
    KAFKA_SECURITY_PROTOCOL                     = "SASL_SSL"
    KAFKA_SASL_MECHANISM                        = "SCRAM-SHA-512"
    KAFKA_SASL_JAAS_CONFIG                      = "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"$${MERIDIAN_KAFKA_USER}\" password=\"$${MERIDIAN_KAFKA_PASSWORD}\";"
    KAFKA_SSL_ENDPOINT_IDENTIFICATION_ALGORITHM = "https"
  }
}

output "user_secret_arns" {
  description = "The secrets of the centre's users: admin, sync, config."
  value       = { for user, secret in module.user : user => secret.arn }
}

output "broker_settings" {
  description = "The brokers' settings."
  value       = local.broker_settings
}

output "topics" {
  description = "The topics: partitions and settings. Each has three replicas."
  value       = local.topics
}

output "setup_commands" {
  description = "The commands that make topics and ACLs; to be run once by the admin, from inside the network."
  value       = concat(local.topic_commands, local.acl_commands)
}

output "admits" {
  description = "Who may reach Kafka."
  value       = [for rule in aws_security_group.this.ingress : { who = rule.description, port = rule.to_port, cidrs = rule.cidr_blocks == null ? [] : rule.cidr_blocks, security_groups = rule.security_groups == null ? [] : rule.security_groups }]
}

output "alarms" {
  description = "The names of the alarms."
  value       = module.alarms.names
}
