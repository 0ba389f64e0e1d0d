# The policy store at the centre, and its copy with a key, a topic for alarms and a network of its own where us-west is.
locals {
  standby_name   = "${var.project}-standby"
  standby_region = local.regions["us-west"].aws_region
}

module "policy_store" {
  source    = "../../modules/policy-store"
  providers = { aws = aws.us_east, aws.replica = aws.us_west, aws.secrets = aws.us_east_secrets }

  name                     = local.centre_name
  instance_class           = var.database_instance_class
  password_version         = var.database_password_version
  deletion_protection      = var.deletion_protection
  vpc_id                   = module.network.vpc_id
  subnet_ids               = module.network.subnet_ids["database"]
  client_security_group_id = module.config.security_group_id
  key_arn                  = module.foundation.key_arn
  alarm_topic_arn          = module.foundation.alarm_topic_arn
  replica_vpc_id           = module.standby_network.vpc_id
  replica_subnet_ids       = module.standby_network.subnet_ids["database"]
  replica_key_arn          = module.standby_foundation.key_arn
  replica_alarm_topic_arn  = module.standby_foundation.alarm_topic_arn
}

module "standby_foundation" {
  source    = "../../modules/foundation"
  providers = { aws = aws.us_west }

  name         = local.standby_name
  account_id   = var.account_id
  aws_region   = local.standby_region
  alarm_emails = var.alarm_emails
}

module "standby_network" {
  source    = "../../modules/network"
  providers = { aws = aws.us_west }

  name       = local.standby_name
  account_id = var.account_id
  aws_region = local.standby_region
  cidr       = "10.99.0.0/16"
  zones      = local.regions["us-west"].zones
  tiers      = ["database"]
  key_arn    = module.standby_foundation.key_arn
}
