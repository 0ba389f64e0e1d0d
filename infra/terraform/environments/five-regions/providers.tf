# One for each region. The centre is where us-east is, the database's copy where us-west is.
provider "aws" {
  alias               = "us_east"
  region              = local.regions["us-east"].aws_region
  allowed_account_ids = [var.account_id]
  default_tags {
    tags = local.tags
  }
}

provider "aws" {
  alias               = "us_west"
  region              = local.regions["us-west"].aws_region
  allowed_account_ids = [var.account_id]
  default_tags {
    tags = local.tags
  }
}

provider "aws" {
  alias               = "eu_west"
  region              = local.regions["eu-west"].aws_region
  allowed_account_ids = [var.account_id]
  default_tags {
    tags = local.tags
  }
}

provider "aws" {
  alias               = "ap_south"
  region              = local.regions["ap-south"].aws_region
  allowed_account_ids = [var.account_id]
  default_tags {
    tags = local.tags
  }
}

provider "aws" {
  alias               = "ap_northeast"
  region              = local.regions["ap-northeast"].aws_region
  allowed_account_ids = [var.account_id]
  default_tags {
    tags = local.tags
  }
}

# us-east once more, for what is read and never kept: mocked providers know nothing of such values, so tests do not mock this one.
provider "aws" {
  alias               = "us_east_secrets"
  region              = local.regions["us-east"].aws_region
  allowed_account_ids = [var.account_id]
}

locals {
  tags = { Project = var.project }
}
