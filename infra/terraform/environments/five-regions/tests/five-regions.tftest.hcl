# The whole of it, planned once: five regions and the centre, and who reaches whom. Security groups and endpoints get names here, so
# that who is meant can be seen in a plan.
mock_provider "aws" {
  alias = "us_east"
}

mock_provider "aws" {
  alias = "us_west"
}

mock_provider "aws" {
  alias = "eu_west"
}

mock_provider "aws" {
  alias = "ap_south"
}

mock_provider "aws" {
  alias = "ap_northeast"
}

# Not mocked, for mocked providers know no ephemeral values. It has nothing to read in a plan, and calls nobody.
provider "aws" {
  alias                       = "us_east_secrets"
  region                      = "us-east-1"
  access_key                  = "none"
  secret_key                  = "none"
  skip_credentials_validation = true
  skip_metadata_api_check     = true
  skip_region_validation      = true
  skip_requesting_account_id  = true
}

override_resource {
  target          = module.us_east.module.limiter.aws_security_group.this
  override_during = plan
  values          = { id = "sg-limiter-us-east" }
}

override_resource {
  target          = module.us_west.module.limiter.aws_security_group.this
  override_during = plan
  values          = { id = "sg-limiter-us-west" }
}

override_resource {
  target          = module.eu_west.module.limiter.aws_security_group.this
  override_during = plan
  values          = { id = "sg-limiter-eu-west" }
}

override_resource {
  target          = module.ap_south.module.limiter.aws_security_group.this
  override_during = plan
  values          = { id = "sg-limiter-ap-south" }
}

override_resource {
  target          = module.ap_northeast.module.limiter.aws_security_group.this
  override_during = plan
  values          = { id = "sg-limiter-ap-northeast" }
}

override_resource {
  target          = module.sync.module.service.aws_security_group.this
  override_during = plan
  values          = { id = "sg-sync" }
}

override_resource {
  target          = module.config.module.service.aws_security_group.this
  override_during = plan
  values          = { id = "sg-config" }
}

override_resource {
  target          = module.kafka.aws_msk_cluster.this
  override_during = plan
  values = {
    arn                          = "arn:aws:kafka:us-east-1:123456789012:cluster/meridian-centre/1"
    bootstrap_brokers_sasl_scram = "kafka-1:9096,kafka-2:9096,kafka-3:9096"
  }
}

override_resource {
  target          = module.ap_south.aws_elasticache_replication_group.this
  override_during = plan
  values = {
    arn                      = "arn:aws:elasticache:ap-south-1:123456789012:replicationgroup:meridian-ap-south"
    primary_endpoint_address = "redis.ap-south"
  }
}

variables {
  account_id     = "123456789012"
  release        = "1.0.0"
  domain         = "meridian.example.com"
  public_zone_id = "Z0123456789EXAMPLE"
  alarm_emails   = ["on-call@example.com"]
  admin_cidrs    = ["10.0.0.0/16"]

  caller_cidrs = {
    us-east      = ["10.1.0.0/16"]
    us-west      = ["10.2.0.0/16"]
    eu-west      = ["10.3.0.0/16"]
    ap-south     = ["10.4.0.0/16"]
    ap-northeast = ["10.5.0.0/16"]
  }

  caller_tokens = {
    us-east      = { web = { scopes = ["check"], sha256 = "0000000000000000000000000000000000000000000000000000000000000001" } }
    us-west      = { web = { scopes = ["check"], sha256 = "0000000000000000000000000000000000000000000000000000000000000002" } }
    eu-west      = { web = { scopes = ["check"], sha256 = "0000000000000000000000000000000000000000000000000000000000000003" } }
    ap-south     = { web = { scopes = ["check"], sha256 = "0000000000000000000000000000000000000000000000000000000000000004" }, jobs = { scopes = ["operate", "check"], sha256 = "0000000000000000000000000000000000000000000000000000000000000006" } }
    ap-northeast = { web = { scopes = ["check"], sha256 = "0000000000000000000000000000000000000000000000000000000000000005" } }
  }

  shell                    = { image = "shell:1", repository_arn = "arn:aws:ecr:us-east-1:123456789012:repository/shell" }
  drill_agent              = { image = "agent:1", repository_arn = "arn:aws:ecr:ap-south-1:123456789012:repository/agent" }
  database_authorities_pem = "-----BEGIN CERTIFICATE-----"
}

run "five_regions_and_a_centre" {
  command = plan

  assert {
    condition = {
      us-east      = module.us_east.latency_regions["limiter.meridian.example.com"]
      us-west      = module.us_west.latency_regions["limiter.meridian.example.com"]
      eu-west      = module.eu_west.latency_regions["limiter.meridian.example.com"]
      ap-south     = module.ap_south.latency_regions["limiter.meridian.example.com"]
      ap-northeast = module.ap_northeast.latency_regions["limiter.meridian.example.com"]
      } == {
      us-east      = "us-east-1"
      us-west      = "us-west-2"
      eu-west      = "eu-west-1"
      ap-south     = "ap-south-1"
      ap-northeast = "ap-northeast-1"
    }
    error_message = "Each of five regions must answer to the shared name, by the latency to its own AWS region."
  }

  assert {
    condition = alltrue([
      jsonencode(module.us_east.redis_admits) == jsonencode([{ cidrs = [], port = 6379, security_groups = ["sg-limiter-us-east"] }]),
      jsonencode(module.us_west.redis_admits) == jsonencode([{ cidrs = [], port = 6379, security_groups = ["sg-limiter-us-west"] }]),
      jsonencode(module.eu_west.redis_admits) == jsonencode([{ cidrs = [], port = 6379, security_groups = ["sg-limiter-eu-west"] }]),
      jsonencode(module.ap_south.redis_admits) == jsonencode([{ cidrs = [], port = 6379, security_groups = ["sg-limiter-ap-south"] }]),
      jsonencode(module.ap_northeast.redis_admits) == jsonencode([{ cidrs = [], port = 6379, security_groups = ["sg-limiter-ap-northeast"] }]),
    ])
    error_message = "A region's Redis must admit its own limiters and nobody else."
  }

  assert {
    condition = {
      for rule in module.kafka.admits : rule.who => join(",", concat(rule.cidrs, tolist(rule.security_groups))) if rule.port == 9096
      } == {
      "Limiters of us-east"      = module.us_east.service_cidr
      "Limiters of us-west"      = module.us_west.service_cidr
      "Limiters of eu-west"      = module.eu_west.service_cidr
      "Limiters of ap-south"     = module.ap_south.service_cidr
      "Limiters of ap-northeast" = module.ap_northeast.service_cidr
      sync                       = "sg-sync"
      config                     = "sg-config"
    }
    error_message = "Kafka must admit the limiters of all five regions, sync and config, and nobody else: ${jsonencode(module.kafka.admits)}"
  }

  assert {
    condition     = jsonencode(module.policy_store.admits.primary) == jsonencode([{ cidrs = [], port = 5432, security_groups = ["sg-config"] }])
    error_message = "The database must admit config and nobody else: ${jsonencode(module.policy_store.admits)}"
  }

  assert {
    condition     = length(module.policy_store.admits.replica) == 0
    error_message = "The copy of the database must admit nobody."
  }

  assert {
    condition = alltrue([for region in [module.us_east, module.us_west, module.eu_west, module.ap_south, module.ap_northeast] :
      region.limiter.reaches == { redis = 6379, kafka = 9096 }
    ])
    error_message = "Limiters must reach their Redis and Kafka, and nothing else."
  }

  assert {
    condition     = module.sync.reaches == { kafka = 9096 } && module.config.reaches == { database = 5432, kafka = 9096 }
    error_message = "sync must reach Kafka, config Kafka and the database, and nothing else."
  }

  assert {
    condition = alltrue([for region in [module.us_east, module.us_west, module.eu_west, module.ap_south, module.ap_northeast] :
      region.balancer_is_internal && region.limiter.tasks.min >= 2
    ]) && module.balancer.internal && module.sync.tasks.min >= 2 && module.config.tasks.min >= 2
    error_message = "No balancer may have public addresses, and of no service may there be one task only."
  }

  assert {
    condition = alltrue([for region in [module.us_east, module.us_west, module.eu_west, module.ap_south, module.ap_northeast] :
      length(setsubtract([
        "failed-answers", "slow-answers", "unhealthy-tasks", "missing-tasks", "balancer-failures",
        "redis-memory-001", "redis-engine-cpu-001", "redis-evictions-001", "redis-replication-lag-002",
      ], region.alarms)) == 0
    ])
    error_message = "An alarm of a region is missing."
  }

  assert {
    condition = length(setsubtract(["offline-partitions", "under-replicated-1", "under-min-isr-2", "disk-3"], module.kafka.alarms)) == 0 && length(
    setsubtract(["cpu", "connections", "replica-lag", "global-lag"], module.policy_store.alarms)) == 0 && contains(module.sync.alarms, "missing-tasks") && contains(module.config.alarms, "failed-answers")
    error_message = "An alarm of the centre is missing."
  }

  assert {
    condition = (
      module.ap_south.limiter.environment["MERIDIAN_LIMITER_REGION"] == "ap-south"
      && module.ap_south.limiter.environment["MERIDIAN_LIMITER_REDIS_HOSTS"] == "rediss://limiter:$${MERIDIAN_REDIS_PASSWORD}@redis.ap-south:6379"
      && contains(module.ap_south.limiter.secrets, "MERIDIAN_REDIS_PASSWORD")
      && module.ap_south.limiter.environment["MERIDIAN_LIMITER_TOKENS_LIST"] == "jobs check,operate sha256:0000000000000000000000000000000000000000000000000000000000000006\nweb check sha256:0000000000000000000000000000000000000000000000000000000000000004"
      && contains(module.ap_south.limiter.secrets, "MERIDIAN_KEYS_SECRET")
    )
    error_message = "Limiters must be told their region and their own Redis by TLS, with a password that comes from a secret, and the hashes of their own callers' tokens: ${jsonencode(module.ap_south.limiter)}"
  }

  assert {
    condition = (
      module.ap_south.limiter.environment["MERIDIAN_LIMITER_FORWARDED_TRUSTED_PROXIES"] == "10.104.0.0/16,10.4.0.0/16"
      && module.ap_south.limiter.environment["MERIDIAN_LIMITER_FORWARDED_TRUSTED_HOPS"] == "2"
    )
    error_message = "Limiters must believe their balancer and their callers about addresses, and nobody else: ${jsonencode(module.ap_south.limiter)}"
  }

  assert {
    condition     = contains(module.sync.secrets, "MERIDIAN_KEYS_SECRET")
    error_message = "Sync replicas must be told the secret under which shards are named."
  }

  assert {
    condition = alltrue([for service in [module.ap_south.limiter.environment, module.sync.environment, module.config.environment] :
      service["KAFKA_BOOTSTRAP_SERVERS"] == "kafka-1:9096,kafka-2:9096,kafka-3:9096" && service["KAFKA_SECURITY_PROTOCOL"] == "SASL_SSL" && strcontains(service["KAFKA_SASL_JAAS_CONFIG"], "password=\"$${MERIDIAN_KAFKA_PASSWORD}\"")
    ])
    error_message = "All services must reach Kafka by SCRAM over TLS, with a password that comes from a secret."
  }

  assert {
    condition     = toset(keys(module.drills.templates)) == toset(["kill-leader", "kafka-outage", "postgres-outage", "postgres-cut"])
    error_message = "Drills of the centre: ${jsonencode(keys(module.drills.templates))}"
  }

  assert {
    condition = (
      toset(keys(module.ap_south.drills)) == toset(["cut-one-region", "kill-limiter", "kill-redis", "slow-link-300ms", "freeze-redis"])
      && toset(keys(module.eu_west.drills)) == toset(["cut-one-region", "kill-limiter", "kill-redis"])
    )
    error_message = "Drills of regions: with an agent those too that touch a task's network."
  }

  assert {
    condition     = toset([for rule in aws_ecr_replication_configuration.this.replication_configuration[0].rule[0].destination : rule.region]) == toset(["us-west-2", "eu-west-1", "ap-south-1", "ap-northeast-1"])
    error_message = "Images must be copied to every other AWS region."
  }
}
