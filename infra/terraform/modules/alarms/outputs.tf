output "arns" {
  description = "The ARN of each alarm, by its name."
  value = merge(
    { for name, alarm in aws_cloudwatch_metric_alarm.of_metric : name => alarm.arn },
    { for name, alarm in aws_cloudwatch_metric_alarm.of_share : name => alarm.arn },
  )
}

output "names" {
  description = "The names of the alarms, without what they begin with."
  value       = toset(keys(var.alarms))
}
