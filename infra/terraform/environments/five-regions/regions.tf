# The regions. To add one: an entry here, a provider in providers.tf, a module below.
locals {
  regions = {
    us-east = merge(local.sizes, {
      aws_region    = "us-east-1"
      zones         = ["us-east-1a", "us-east-1b", "us-east-1c"]
      cidr          = "10.101.0.0/16"
      caller_cidrs  = var.caller_cidrs["us-east"]
      caller_tokens = var.caller_tokens["us-east"]
    })
    us-west = merge(local.sizes, {
      aws_region    = "us-west-2"
      zones         = ["us-west-2a", "us-west-2b", "us-west-2c"]
      cidr          = "10.102.0.0/16"
      caller_cidrs  = var.caller_cidrs["us-west"]
      caller_tokens = var.caller_tokens["us-west"]
    })
    eu-west = merge(local.sizes, {
      aws_region    = "eu-west-1"
      zones         = ["eu-west-1a", "eu-west-1b", "eu-west-1c"]
      cidr          = "10.103.0.0/16"
      caller_cidrs  = var.caller_cidrs["eu-west"]
      caller_tokens = var.caller_tokens["eu-west"]
    })
    ap-south = merge(local.sizes, {
      aws_region    = "ap-south-1"
      zones         = ["ap-south-1a", "ap-south-1b", "ap-south-1c"]
      cidr          = "10.104.0.0/16"
      caller_cidrs  = var.caller_cidrs["ap-south"]
      caller_tokens = var.caller_tokens["ap-south"]
      # The drills slow this one's link down.
      drill_agent = var.drill_agent
    })
    ap-northeast = merge(local.sizes, {
      aws_region    = "ap-northeast-1"
      zones         = ["ap-northeast-1a", "ap-northeast-1c", "ap-northeast-1d"]
      cidr          = "10.105.0.0/16"
      caller_cidrs  = var.caller_cidrs["ap-northeast"]
      caller_tokens = var.caller_tokens["ap-northeast"]
    })
  }

  # The reference size: a million requests per second over five regions. What it costs, and why these numbers, is in docs/costs.md.
  sizes = {
    limiter = {
      cpu    = 4096
      memory = 8192
      tasks  = { min = 6, max = 40, cpu_percent = 50, requests_per_minute = 900000 }
      # For the record only, and nobody decides by it; every 5 s it would be most of what crosses regions.
      regional_usage_interval = "5M"
    }
    redis = {
      node_type = "cache.r7g.xlarge"
      nodes     = 2
    }
    metrics_cidrs = var.metrics_cidrs
  }
}

# Networks that share addresses cannot be joined, and AWS says so only when half of it is there.
check "addresses" {
  assert {
    condition     = length(distinct(concat([for region in local.regions : region.cidr], ["10.99.0.0/16", "10.100.0.0/16"]))) == length(local.regions) + 2
    error_message = "Two networks have the same addresses."
  }
}

module "us_east" {
  source         = "../../modules/region"
  providers      = { aws = aws.us_east, aws.centre = aws.us_east }
  name           = "us-east"
  settings       = local.regions["us-east"]
  platform       = local.platform
  centre         = local.centre
  key_secret_arn = module.key_secret.arn
}

module "us_west" {
  source         = "../../modules/region"
  providers      = { aws = aws.us_west, aws.centre = aws.us_east }
  name           = "us-west"
  settings       = local.regions["us-west"]
  platform       = local.platform
  centre         = local.centre
  key_secret_arn = module.key_secret.arn
}

module "eu_west" {
  source         = "../../modules/region"
  providers      = { aws = aws.eu_west, aws.centre = aws.us_east }
  name           = "eu-west"
  settings       = local.regions["eu-west"]
  platform       = local.platform
  centre         = local.centre
  key_secret_arn = module.key_secret.arn
}

module "ap_south" {
  source         = "../../modules/region"
  providers      = { aws = aws.ap_south, aws.centre = aws.us_east }
  name           = "ap-south"
  settings       = local.regions["ap-south"]
  platform       = local.platform
  centre         = local.centre
  key_secret_arn = module.key_secret.arn
}

module "ap_northeast" {
  source         = "../../modules/region"
  providers      = { aws = aws.ap_northeast, aws.centre = aws.us_east }
  name           = "ap-northeast"
  settings       = local.regions["ap-northeast"]
  platform       = local.platform
  centre         = local.centre
  key_secret_arn = module.key_secret.arn
}
