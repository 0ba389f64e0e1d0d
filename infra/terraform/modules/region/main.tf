# One region, whole: network, Redis, limiters, their names and alarms, the link to the centre's Kafka, and the drills that break them.
# Nothing in it knows of another region.
locals {
  place      = "${var.platform.project}-${var.name}"
  aws_region = var.settings.aws_region
  at_centre  = local.aws_region == var.centre.aws_region
  image      = "${var.platform.project}/regional-limiter"
}

module "foundation" {
  source       = "../foundation"
  name         = local.place
  account_id   = var.platform.account_id
  aws_region   = local.aws_region
  alarm_emails = var.platform.alarm_emails
  repositories = [local.image]
}

module "network" {
  source          = "../network"
  name            = local.place
  account_id      = var.platform.account_id
  aws_region      = local.aws_region
  cidr            = var.settings.cidr
  zones           = var.settings.zones
  tiers           = ["balancer", "service", "redis"]
  key_arn         = module.foundation.key_arn
  systems_manager = var.settings.drill_agent != null
}

# The same name is asked for in every region, so the one record that proves it is ours, at the centre, proves it for all.
resource "aws_acm_certificate" "this" {
  domain_name       = "*.${var.platform.domain}"
  validation_method = "DNS"
  key_algorithm     = "EC_prime256v1"

  lifecycle {
    create_before_destroy = true
  }
}

resource "aws_acm_certificate_validation" "this" {
  certificate_arn = aws_acm_certificate.this.arn
}

module "balancer" {
  source              = "../balancer"
  name                = local.place
  vpc_id              = module.network.vpc_id
  subnet_ids          = module.network.subnet_ids["balancer"]
  client_cidrs        = var.settings.caller_cidrs
  certificate_arn     = aws_acm_certificate_validation.this.certificate_arn
  capacity_units      = var.settings.balancer_capacity_units
  deletion_protection = var.platform.deletion_protection
  alarm_topic_arn     = module.foundation.alarm_topic_arn
}

module "dns" {
  source       = "../dns"
  zone_id      = var.centre.zone_id
  place        = var.name
  aws_region   = local.aws_region
  own_names    = ["limiter-${var.name}.${var.platform.domain}"]
  shared_names = ["limiter.${var.platform.domain}"]
  alias        = module.balancer.alias
  networks     = merge({ own = module.network.vpc_id }, var.settings.caller_vpcs)
}
