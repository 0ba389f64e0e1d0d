# The region's counters. One primary and its replicas, not a cluster: escrow has to notice that the server lost its data, and of a
# cluster's nodes that is not noticed. A failover is a new life of the data, which limiters and leaders know how to begin.
resource "aws_elasticache_replication_group" "this" {
  replication_group_id = local.place
  description          = "Counters of ${var.name}"
  engine               = "redis"
  engine_version       = "7.1"
  node_type            = var.settings.redis.node_type
  num_cache_clusters   = var.settings.redis.nodes
  port                 = local.redis_port
  parameter_group_name = aws_elasticache_parameter_group.this.name
  subnet_group_name    = aws_elasticache_subnet_group.this.name
  security_group_ids   = [aws_security_group.redis.id]
  user_group_ids       = [aws_cloudformation_stack.redis_users.outputs["UserGroup"]]

  automatic_failover_enabled  = true
  multi_az_enabled            = true
  preferred_cache_cluster_azs = slice(var.settings.zones, 0, var.settings.redis.nodes)
  maintenance_window          = var.settings.redis.maintenance_window
  auto_minor_version_upgrade  = true
  apply_immediately           = false

  transit_encryption_enabled = true
  transit_encryption_mode    = "required"
  at_rest_encryption_enabled = true
  kms_key_id                 = module.foundation.key_arn

  # No snapshots: counters of an hour ago are wrong counters. What a lost Redis knew is told anew from Kafka's log.
  snapshot_retention_limit = 0

  log_delivery_configuration {
    destination      = aws_cloudwatch_log_group.redis.name
    destination_type = "cloudwatch-logs"
    log_format       = "json"
    log_type         = "slow-log"
  }
}

locals {
  redis_port = 6379

  # What limiters and their scripts call, and no more: none of it can empty the server or change its settings.
  redis_commands = [
    "ping", "info", "time", "eval", "evalsha", "script|load", "scan", "type", "get", "mget", "set", "getdel", "del", "pexpire", "pttl",
    "lindex", "llen", "lrange", "ltrim", "rpush", "zadd", "zcard", "zrange", "zrangebyscore", "zrem", "zscore",
  ]
}

# An evicted book is a grant that is spent twice: a full Redis refuses instead, and an alarm comes long before.
resource "aws_elasticache_parameter_group" "this" {
  name   = local.place
  family = "redis7"

  parameter {
    name  = "maxmemory-policy"
    value = "noeviction"
  }
}

resource "aws_elasticache_subnet_group" "this" {
  name       = local.place
  subnet_ids = module.network.subnet_ids["redis"]
}

# The rules stand in the group itself, so that one added by hand is taken away again.
resource "aws_security_group" "redis" {
  name        = "${local.place}-redis"
  description = "Redis of ${var.name}: its own limiters"
  vpc_id      = module.network.vpc_id

  ingress {
    description     = "Limiters of ${var.name}"
    from_port       = local.redis_port
    to_port         = local.redis_port
    protocol        = "tcp"
    security_groups = [module.limiter.security_group_id]
  }

  egress = []
}

module "redis_secret" {
  source      = "../secret"
  name        = "${local.place}/redis"
  description = "Redis user of the limiters of ${var.name}"
  username    = "limiter"
  key_arn     = module.foundation.key_arn
}

# Users of Redis, by CloudFormation for the same reason as secrets: it resolves the password on its way, and no state holds it.
resource "aws_cloudformation_stack" "redis_users" {
  name = "${local.place}-redis-users"

  template_body = jsonencode({
    Resources = {
      Limiter = {
        Type = "AWS::ElastiCache::User"
        Properties = {
          UserId       = "${local.place}-limiter"
          UserName     = "limiter"
          Engine       = "redis"
          AccessString = "on ~* -@all ${join(" ", [for command in local.redis_commands : "+${command}"])}"
          Passwords    = ["{{resolve:secretsmanager:${module.redis_secret.arn}:SecretString:password}}"]
        }
      }
      # A group must have a user of this name: it is who connects without saying who, and it may do nothing.
      Default = {
        Type = "AWS::ElastiCache::User"
        Properties = {
          UserId             = "${local.place}-default"
          UserName           = "default"
          Engine             = "redis"
          AccessString       = "off ~* -@all"
          NoPasswordRequired = true
        }
      }
      Group = {
        Type = "AWS::ElastiCache::UserGroup"
        Properties = {
          UserGroupId = local.place
          Engine      = "redis"
          UserIds     = [{ Ref = "Default" }, { Ref = "Limiter" }]
        }
      }
    }
    Outputs = { UserGroup = { Value = { Ref = "Group" } } }
  })
}

resource "aws_cloudwatch_log_group" "redis" {
  name              = "/${local.place}/redis"
  retention_in_days = 30
  kms_key_id        = module.foundation.key_arn
}
