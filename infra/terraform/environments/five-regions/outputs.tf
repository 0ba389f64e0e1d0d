output "limiter" {
  description = "Where API servers ask: the name that leads to the nearest region. limiter-REGION in front of the domain leads to one."
  value       = "https://limiter.${var.domain}"
}

output "config" {
  description = "Where admins go."
  value       = "https://config.${var.domain}"
}

output "sync" {
  description = "Where operators ask who leads: /api/v1/shards."
  value       = "https://sync.${var.domain}"
}

output "admin_token_arn" {
  description = "The secret with the first admin's token: mrd_ and its password."
  value       = module.config.admin_token_arn
}

output "kafka" {
  description = "Topics and brokers' settings, the commands that make topics and ACLs, and the secret of the admin who runs them."
  value = {
    topics          = module.kafka.topics
    broker_settings = module.kafka.broker_settings
    bootstrap       = module.kafka.client_environment.KAFKA_BOOTSTRAP_SERVERS
    setup_commands  = module.kafka.setup_commands
    admin_secret    = module.kafka.user_secret_arns["admin"]
  }
}

output "who_reaches" {
  description = "Whom Kafka and the database admit."
  value       = { kafka = module.kafka.admits, database = module.policy_store.admits }
}

output "drills" {
  description = "The experiment templates on the centre, by the name of the drill. Those of a region are that module's output."
  value       = module.drills.templates
}
