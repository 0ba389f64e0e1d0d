terraform {
  required_version = ">= 1.11"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.100, < 6.0"
    }
  }

  # Bucket, key and region are given at init: they are whoever's who deploys.
  backend "s3" {
    encrypt      = true
    use_lockfile = true
  }
}
