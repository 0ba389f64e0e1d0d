output "names" {
  description = "All names of the place, its own ones and the shared ones."
  value       = setunion(var.own_names, var.shared_names)
}

output "latency_regions" {
  description = "For each shared name the AWS region to which latency is measured."
  value       = { for name, record in aws_route53_record.nearest : name => one(record.latency_routing_policy).region }
}
