# The limiters: what API servers of the region ask.
module "limiter" {
  source = "../service"

  place             = local.place
  role              = "limiter"
  name              = "${local.place}-limiter"
  account_id        = var.platform.account_id
  aws_region        = local.aws_region
  cluster           = module.foundation.cluster
  repository        = module.foundation.repositories[local.image]
  release           = var.platform.release
  cpu               = var.settings.limiter.cpu
  memory            = var.settings.limiter.memory
  cpu_architecture  = var.platform.cpu_architecture
  tasks             = var.settings.limiter.tasks
  key_arn           = module.foundation.key_arn
  vpc_id            = module.network.vpc_id
  subnet_ids        = module.network.subnet_ids["service"]
  doors             = module.network.doors
  balancer          = module.balancer.balancer
  listener_priority = 10
  hosts             = sort(module.dns.names)
  metrics_cidrs     = var.settings.metrics_cidrs
  p99_seconds       = 0.010
  alarm_topic_arn   = module.foundation.alarm_topic_arn
  drill_agent       = var.settings.drill_agent

  reaches = {
    redis = { port = local.redis_port, security_group_id = aws_security_group.redis.id }
    # By addresses: a security group of another region cannot be named.
    kafka = { port = var.centre.kafka_port, cidr = var.centre.kafka_cidr }
  }

  environment = merge(var.centre.kafka_environment, {
    MERIDIAN_LIMITER_REGION                  = var.name
    MERIDIAN_LIMITER_USAGE_REGIONAL_INTERVAL = var.settings.limiter.regional_usage_interval
    # Hops of a forwarded request: the balancer, which appends the caller, and the caller, which appends its client.
    MERIDIAN_LIMITER_FORWARDED_TRUSTED_PROXIES = join(",", sort(concat([var.settings.cidr], tolist(var.settings.caller_cidrs))))
    MERIDIAN_LIMITER_FORWARDED_TRUSTED_HOPS    = "2"
    MERIDIAN_LIMITER_POLICIES_SOURCE           = "topic"
    MERIDIAN_LIMITER_POLICIES_CACHE_FILE       = "/tmp/policies.copy"
    MERIDIAN_LIMITER_TOKENS_LIST               = local.caller_tokens
    MERIDIAN_LIMITER_REDIS_HOSTS               = "rediss://limiter:$${MERIDIAN_REDIS_PASSWORD}@${aws_elasticache_replication_group.this.primary_endpoint_address}:${local.redis_port}"
  })

  # In the centre's own AWS region it is the centre's secret itself, elsewhere a copy under the region's key.
  secret_key_arns = local.at_centre ? [var.centre.key_arn] : []

  secrets = {
    MERIDIAN_KEYS_SECRET    = { arn = replace(var.key_secret_arn, ":${var.centre.aws_region}:", ":${local.aws_region}:"), field = "password" }
    MERIDIAN_REDIS_PASSWORD = { arn = module.redis_secret.arn, field = "password" }
    MERIDIAN_KAFKA_USER     = { arn = local.kafka_secret_arn, field = "username" }
    MERIDIAN_KAFKA_PASSWORD = { arn = local.kafka_secret_arn, field = "password" }
  }
}

# What API servers of the region present: of each token its name, scopes and hash. A hash of 256 random bits tells nothing of them, so
# it is no secret. A region has its own: a token that leaks opens one region.
locals {
  caller_tokens = join("\n", [
    for name, token in var.settings.caller_tokens : "${name} ${join(",", sort(token.scopes))} sha256:${token.sha256}"
  ])
}
