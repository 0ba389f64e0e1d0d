# A region by itself: how its Redis is kept, who reaches it, and what a region refuses.
mock_provider "aws" {
  alias = "eu_west"
}

mock_provider "aws" {
  alias = "us_east"
}

override_resource {
  target          = module.limiter.aws_security_group.this
  override_during = plan
  values          = { id = "sg-limiter" }
}

variables {
  account_id               = "123456789012"
  release                  = "1.0.0"
  domain                   = "meridian.example.com"
  public_zone_id           = "Z0123456789EXAMPLE"
  alarm_emails             = []
  admin_cidrs              = ["10.0.0.0/16"]
  caller_cidrs             = {}
  caller_tokens            = {}
  shell                    = { image = "shell:1", repository_arn = "arn:aws:ecr:us-east-1:123456789012:repository/shell" }
  database_authorities_pem = "-----BEGIN CERTIFICATE-----"

  name           = "eu-west"
  key_secret_arn = "arn:aws:secretsmanager:us-east-1:123456789012:secret:centre/key-secret"
  platform = {
    project             = "meridian"
    account_id          = "123456789012"
    release             = "1.0.0"
    domain              = "meridian.example.com"
    cpu_architecture    = "X86_64"
    alarm_emails        = ["on-call@example.com"]
    deletion_protection = true
  }
  centre = {
    aws_region           = "us-east-1"
    vpc_id               = "vpc-centre"
    key_arn              = "arn:aws:kms:us-east-1:123456789012:key/centre"
    zone_id              = "Z1"
    kafka_cluster_arn    = "arn:aws:kafka:us-east-1:123456789012:cluster/centre/1"
    kafka_cidr           = "10.100.128.0/18"
    kafka_port           = 9096
    kafka_route_table_id = "rtb-kafka"
    kafka_environment    = { KAFKA_BOOTSTRAP_SERVERS = "kafka:9096" }
  }
  settings = {
    aws_region    = "eu-west-1"
    zones         = ["eu-west-1a", "eu-west-1b", "eu-west-1c"]
    cidr          = "10.103.0.0/16"
    caller_cidrs  = ["10.3.0.0/16"]
    caller_tokens = { web = { scopes = ["check"], sha256 = "0000000000000000000000000000000000000000000000000000000000000003" } }
    limiter       = { cpu = 2048, memory = 4096, tasks = { min = 2, max = 4, cpu_percent = 50 } }
    redis         = { node_type = "cache.r7g.large", nodes = 2 }
  }
}

run "a_region" {
  command   = plan
  providers = { aws = aws.eu_west, aws.centre = aws.us_east }
  module {
    source = "../../modules/region"
  }

  assert {
    condition = (
      jsonencode(output.redis_admits) == jsonencode([{ cidrs = [], port = 6379, security_groups = ["sg-limiter"] }])
      && alltrue([for rule in aws_security_group.redis.ingress : rule.from_port == rule.to_port && !coalesce(rule.self, false)])
      && length(aws_security_group.redis.egress) == 0
    )
    error_message = "Redis must admit its own limiters at its own port, and nobody else: ${jsonencode(aws_security_group.redis.ingress)}"
  }

  assert {
    condition = (
      aws_elasticache_replication_group.this.transit_encryption_enabled
      && aws_elasticache_replication_group.this.transit_encryption_mode == "required"
      && aws_elasticache_replication_group.this.at_rest_encryption_enabled
      && aws_elasticache_replication_group.this.auth_token == null
    )
    error_message = "Redis must be encrypted, on the way and at rest, and its password must not be in the state."
  }

  assert {
    condition     = aws_elasticache_replication_group.this.multi_az_enabled && aws_elasticache_replication_group.this.automatic_failover_enabled && aws_elasticache_replication_group.this.snapshot_retention_limit == 0
    error_message = "Redis must fail over, and never come back with counters of yesterday."
  }

  assert {
    condition     = anytrue([for parameter in aws_elasticache_parameter_group.this.parameter : parameter.name == "maxmemory-policy" && parameter.value == "noeviction"])
    error_message = "Redis must not evict: a book that is gone is a grant that is spent twice."
  }

  assert {
    condition     = aws_route.to_kafka.destination_cidr_block == "10.100.128.0/18" && aws_route.from_kafka.destination_cidr_block == "10.103.64.0/18"
    error_message = "The link must lead from the limiters to Kafka and back, and nowhere else."
  }

  assert {
    condition     = output.limiter.names == toset(["limiter.meridian.example.com", "limiter-eu-west.meridian.example.com"])
    error_message = "Limiters must answer to the shared name and to the region's own."
  }
}

run "one_redis_is_too_few" {
  command   = plan
  providers = { aws = aws.eu_west, aws.centre = aws.us_east }
  module {
    source = "../../modules/region"
  }
  variables {
    settings = {
      aws_region    = "eu-west-1"
      zones         = ["eu-west-1a", "eu-west-1b", "eu-west-1c"]
      cidr          = "10.103.0.0/16"
      caller_cidrs  = ["10.3.0.0/16"]
      caller_tokens = { web = { scopes = ["check"], sha256 = "0000000000000000000000000000000000000000000000000000000000000003" } }
      limiter       = { cpu = 2048, memory = 4096, tasks = { min = 2, max = 4 } }
      redis         = { node_type = "cache.r7g.large", nodes = 1 }
    }
  }
  expect_failures = [var.settings]
}

run "a_token_of_a_caller_is_no_hash" {
  command   = plan
  providers = { aws = aws.eu_west, aws.centre = aws.us_east }
  module {
    source = "../../modules/region"
  }
  variables {
    settings = {
      aws_region    = "eu-west-1"
      zones         = ["eu-west-1a", "eu-west-1b", "eu-west-1c"]
      cidr          = "10.103.0.0/16"
      caller_cidrs  = ["10.3.0.0/16"]
      caller_tokens = { web = { scopes = ["check"], sha256 = "mrd_a-token" } }
      limiter       = { cpu = 2048, memory = 4096, tasks = { min = 2, max = 4 } }
      redis         = { node_type = "cache.r7g.large", nodes = 2 }
    }
  }
  expect_failures = [var.settings]
}
