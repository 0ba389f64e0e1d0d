output "balancer" {
  description = "What a service behind it needs to know."
  value = {
    arn_suffix        = aws_lb.this.arn_suffix
    listener_arn      = aws_lb_listener.https.arn
    security_group_id = aws_security_group.this.id
  }
}

output "alias" {
  description = "What a DNS name points to."
  value       = { name = aws_lb.this.dns_name, zone_id = aws_lb.this.zone_id }
}

output "internal" {
  description = "Whether it has private addresses only."
  value       = aws_lb.this.internal
}

output "alarm_arns" {
  description = "The alarms of the balancer."
  value       = module.alarms.arns
}
