output "vpc_id" {
  description = "The network."
  value       = aws_vpc.this.id
}

output "tier_cidrs" {
  description = "The addresses of each tier."
  value       = module.addresses.tiers
}

output "subnet_ids" {
  description = "The subnets of each tier, in the order of the zones."
  value = {
    for tier in var.tiers : tier => [
      for name, subnet in module.addresses.subnets : aws_subnet.this[name].id if subnet.tier == tier
    ]
  }
}

output "subnet_arns" {
  description = "The ARNs of the subnets of each tier: what drills cut off."
  value = {
    for tier in var.tiers : tier => [
      for name, subnet in module.addresses.subnets : aws_subnet.this[name].arn if subnet.tier == tier
    ]
  }
}

output "route_table_ids" {
  description = "The route table of each tier."
  value       = { for tier, table in aws_route_table.this : tier => table.id }
}

output "doors" {
  description = "What tasks need to reach AWS interfaces: the endpoints' security group and S3's prefix list. Null where there are no tasks."
  value = local.has_tasks ? {
    security_group_id = one(aws_security_group.endpoints[*].id)
    s3_prefix_list_id = one(aws_vpc_endpoint.s3[*].prefix_list_id)
  } : null
}
