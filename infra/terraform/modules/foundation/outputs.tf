output "key_arn" {
  description = "The key of the place."
  value       = aws_kms_key.this.arn
}

output "alarm_topic_arn" {
  description = "Where alarms of the place go."
  value       = aws_sns_topic.alarms.arn
}

output "cluster" {
  description = "Name and ARN of the ECS cluster, null where there is none."
  value       = one([for cluster in aws_ecs_cluster.this : { name = cluster.name, arn = cluster.arn }])
}

output "repositories" {
  description = "URL and ARN of each image repository, by its name."
  value       = { for name, repository in aws_ecr_repository.this : name => { url = repository.repository_url, arn = repository.arn } }
}
