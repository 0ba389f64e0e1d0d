# How a network is divided: a quarter for each tier, a sixteenth for each of its subnets. It makes nothing; it is a module so that
# a network, and whoever must admit or route to a part of it from another region, count the same way.
locals {
  quarter = { for index, tier in var.tiers : tier => cidrsubnet(var.cidr, 2, index) }

  subnets = merge([
    for tier, block in local.quarter : {
      for index, zone in var.zones : "${tier}-${index + 1}" => {
        tier = tier
        zone = zone
        cidr = cidrsubnet(block, 2, index)
      }
    }
  ]...)
}
