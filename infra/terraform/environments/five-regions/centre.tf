# The centre: Kafka, database, sync and config service, in a network of their own beside us-east's. A region is a region, also the one
# that happens to be near.
locals {
  platform = {
    project             = var.project
    account_id          = var.account_id
    release             = var.release
    domain              = var.domain
    cpu_architecture    = var.cpu_architecture
    alarm_emails        = var.alarm_emails
    deletion_protection = var.deletion_protection
  }

  centre_name   = "${var.project}-centre"
  centre_region = local.regions["us-east"].aws_region

  # What regions are told of it.
  centre = {
    aws_region           = local.centre_region
    vpc_id               = module.network.vpc_id
    key_arn              = module.foundation.key_arn
    zone_id              = aws_route53_zone.this.zone_id
    kafka_cluster_arn    = module.kafka.cluster_arn
    kafka_cidr           = module.network.tier_cidrs["kafka"]
    kafka_port           = module.kafka.port
    kafka_route_table_id = module.network.route_table_ids["kafka"]
    kafka_environment    = module.kafka.client_environment
  }

  # What its services are told of it.
  place = {
    name            = local.centre_name
    account_id      = var.account_id
    aws_region      = local.centre_region
    key_arn         = module.foundation.key_arn
    alarm_topic_arn = module.foundation.alarm_topic_arn
    cluster         = module.foundation.cluster
    vpc_id          = module.network.vpc_id
    subnet_ids      = module.network.subnet_ids["service"]
    doors           = module.network.doors
    balancer        = module.balancer.balancer
  }
}

module "foundation" {
  source    = "../../modules/foundation"
  providers = { aws = aws.us_east }

  name         = local.centre_name
  account_id   = var.account_id
  aws_region   = local.centre_region
  alarm_emails = var.alarm_emails
  repositories = ["${var.project}/sync-service", "${var.project}/config-service"]
}

module "network" {
  source    = "../../modules/network"
  providers = { aws = aws.us_east }

  name       = local.centre_name
  account_id = var.account_id
  aws_region = local.centre_region
  cidr       = "10.100.0.0/16"
  zones      = local.regions["us-east"].zones
  tiers      = ["balancer", "service", "kafka", "database"]
  key_arn    = module.foundation.key_arn
}

# How each region's addresses are divided: limiters are in the tier called service.
module "addresses" {
  source   = "../../modules/addresses"
  for_each = local.regions

  cidr  = each.value.cidr
  tiers = ["balancer", "service", "redis"]
}

module "kafka" {
  source    = "../../modules/kafka"
  providers = { aws = aws.us_east }

  name                   = local.centre_name
  vpc_id                 = module.network.vpc_id
  subnet_ids             = module.network.subnet_ids["kafka"]
  key_arn                = module.foundation.key_arn
  broker_type            = var.kafka.broker_type
  volume_gib             = var.kafka.volume_gib
  acls_defined           = var.kafka.acls_defined
  limiter_cidrs          = { for region, addresses in module.addresses : region => addresses.tiers["service"] }
  client_security_groups = { sync = module.sync.security_group_id, config = module.config.security_group_id }
  alarm_topic_arn        = module.foundation.alarm_topic_arn
}

module "sync" {
  source    = "../../modules/sync"
  providers = { aws = aws.us_east }

  place            = local.place
  repository       = module.foundation.repositories["${var.project}/sync-service"]
  release          = var.release
  cpu_architecture = var.cpu_architecture
  host             = "sync.${var.domain}"
  metrics_cidrs    = var.metrics_cidrs
  size             = var.sync_size
  kafka            = merge(local.kafka_of_centre, { secret_arn = module.kafka.user_secret_arns["sync"] })
  key_secret_arn   = module.key_secret.arn
}

# What counters and shards are named under, the same in all regions. Tasks read the copy in their own AWS region, so that they start also
# while they are cut off from the centre.
module "key_secret" {
  source    = "../../modules/secret"
  providers = { aws = aws.us_east }

  name        = "${local.centre_name}/key-secret"
  description = "The secret under which limiters and sync replicas name counters and shards: 32 hex digits"
  username    = "keys"
  hex_digits  = 32
  key_arn     = module.foundation.key_arn
  copies = {
    (local.regions["us-west"].aws_region)      = module.us_west.key_arn
    (local.regions["eu-west"].aws_region)      = module.eu_west.key_arn
    (local.regions["ap-south"].aws_region)     = module.ap_south.key_arn
    (local.regions["ap-northeast"].aws_region) = module.ap_northeast.key_arn
  }
}

module "config" {
  source    = "../../modules/config"
  providers = { aws = aws.us_east }

  place            = local.place
  repository       = module.foundation.repositories["${var.project}/config-service"]
  release          = var.release
  cpu_architecture = var.cpu_architecture
  host             = "config.${var.domain}"
  metrics_cidrs    = var.metrics_cidrs
  size             = var.config_size
  oidc             = var.oidc
  shell            = var.shell
  kafka            = merge(local.kafka_of_centre, { secret_arn = module.kafka.user_secret_arns["config"] })

  database = {
    address           = module.policy_store.address
    security_group_id = module.policy_store.security_group_id
    secret_arn        = module.policy_store.secret_arn
    authorities_pem   = var.database_authorities_pem
  }
}

locals {
  kafka_of_centre = {
    security_group_id = module.kafka.security_group_id
    port              = module.kafka.port
    environment       = module.kafka.client_environment
  }
}

module "balancer" {
  source    = "../../modules/balancer"
  providers = { aws = aws.us_east }

  name                = local.centre_name
  vpc_id              = module.network.vpc_id
  subnet_ids          = module.network.subnet_ids["balancer"]
  client_cidrs        = var.admin_cidrs
  certificate_arn     = aws_acm_certificate_validation.centre.certificate_arn
  deletion_protection = var.deletion_protection
  alarm_topic_arn     = module.foundation.alarm_topic_arn
}
