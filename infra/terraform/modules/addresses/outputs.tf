output "tiers" {
  description = "The block of each tier."
  value       = local.quarter
}

output "subnets" {
  description = "Tier, zone and block of each subnet, by a name like service-1."
  value       = local.subnets
}
