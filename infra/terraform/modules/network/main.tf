# A network without a way to the internet, in or out: no internet gateway, no NAT. Tasks reach the AWS interfaces they need through
# endpoints inside it. Each tier has a route table of its own, so that a way to another network is one tier's and not all's.
module "addresses" {
  source = "../addresses"
  cidr   = var.cidr
  tiers  = var.tiers
  zones  = var.zones
}

resource "aws_vpc" "this" {
  cidr_block           = var.cidr
  enable_dns_support   = true
  enable_dns_hostnames = true

  tags = { Name = var.name }
}

# Whoever forgets to name a security group gets this one, which admits nothing.
resource "aws_default_security_group" "closed" {
  vpc_id = aws_vpc.this.id
}

resource "aws_subnet" "this" {
  for_each = module.addresses.subnets

  vpc_id            = aws_vpc.this.id
  availability_zone = each.value.zone
  cidr_block        = each.value.cidr

  tags = { Name = "${var.name}-${each.key}", Tier = each.value.tier }
}

resource "aws_route_table" "this" {
  for_each = toset(var.tiers)

  vpc_id = aws_vpc.this.id

  tags = { Name = "${var.name}-${each.key}", Tier = each.key }
}

resource "aws_route_table_association" "this" {
  for_each = module.addresses.subnets

  subnet_id      = aws_subnet.this[each.key].id
  route_table_id = aws_route_table.this[each.value.tier].id
}
