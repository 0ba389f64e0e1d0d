variable "name" {
  description = "The region's name in policies, metrics and usage, such as eu-west. It never changes: counts are kept under it."
  type        = string

  validation {
    condition     = can(regex("^[a-z]{2}-[a-z]+$", var.name))
    error_message = "name must be like eu-west, got ${var.name}."
  }
}

variable "settings" {
  description = <<-E
    What is the region's own: AWS region and three zones of it, addresses, who may call (caller_cidrs; caller_vpcs are networks in the
    same AWS region that shall know the names) and with which tokens (caller_tokens, by name; ./meridian limiter-token makes them), sizes,
    and how often limits that are the region's own are put on record (limiter.regional_usage_interval). balancer_capacity_units are held ready for a rush of callers.
    drill_agent turns the drills on that touch a task's network.
  E
  type = object({
    aws_region              = string
    zones                   = list(string)
    cidr                    = string
    caller_cidrs            = set(string)
    caller_vpcs             = optional(map(string), {})
    caller_tokens           = map(object({ scopes = set(string), sha256 = string }))
    metrics_cidrs           = optional(set(string), [])
    balancer_capacity_units = optional(number)
    drill_agent             = optional(object({ image = string, repository_arn = string }))
    limiter = object({
      cpu    = number
      memory = number
      tasks = object({
        min                 = number
        max                 = number
        cpu_percent         = optional(number)
        requests_per_minute = optional(number)
      })
      regional_usage_interval = optional(string, "5S")
    })
    redis = object({
      node_type          = string
      nodes              = number
      maintenance_window = optional(string, "sun:03:00-sun:04:00")
    })
  })

  validation {
    condition     = length(var.settings.zones) == 3 && alltrue([for zone in var.settings.zones : startswith(zone, var.settings.aws_region)])
    error_message = "zones must be three zones of ${var.settings.aws_region}, got ${jsonencode(var.settings.zones)}."
  }

  validation {
    condition     = can(regex("^[1-9][0-9]*[SMH]$", var.settings.limiter.regional_usage_interval))
    error_message = "limiter.regional_usage_interval must be like 5S or 5M, got ${var.settings.limiter.regional_usage_interval}."
  }

  validation {
    condition     = length(var.settings.caller_cidrs) > 0
    error_message = "caller_cidrs must not be empty: nobody could ask the limiters."
  }

  validation {
    condition = length(var.settings.caller_tokens) > 0 && alltrue([
      for name, token in var.settings.caller_tokens : can(regex("^[a-z0-9][a-z0-9._-]{0,39}$", name)) && can(regex("^[0-9a-f]{64}$", token.sha256))
      && length(token.scopes) > 0 && length(setsubtract(token.scopes, ["check", "operate", "load"])) == 0
    ])
    error_message = "caller_tokens must not be empty, with names of a-z, 0-9, '.', '_' and '-', scopes of check, operate and load, and 64 hexadecimal digits of SHA-256."
  }

  validation {
    condition     = var.settings.redis.nodes >= 2 && var.settings.redis.nodes <= length(var.settings.zones)
    error_message = "redis.nodes must be from 2 to 3, got ${var.settings.redis.nodes}: a node in each zone, and one may fail."
  }

  validation {
    condition     = !can(regex("^cache\\.t", var.settings.redis.node_type))
    error_message = "redis.node_type must not be of the t family, got ${var.settings.redis.node_type}: it is slowed down when its credits are spent."
  }
}

variable "platform" {
  description = "What all regions have in common."
  type = object({
    project             = string
    account_id          = string
    release             = string
    domain              = string
    cpu_architecture    = string
    alarm_emails        = set(string)
    deletion_protection = bool
  })
}

variable "centre" {
  description = "What a region needs to know of the centre: its network, its Kafka, its key for what is kept beside Kafka, and the zone of names."
  type = object({
    aws_region           = string
    vpc_id               = string
    key_arn              = string
    zone_id              = string
    kafka_cluster_arn    = string
    kafka_cidr           = string
    kafka_port           = number
    kafka_route_table_id = string
    kafka_environment    = map(string)
  })
}

variable "key_secret_arn" {
  description = "The centre's secret under which counters and shards are named. The region's AWS region has a copy."
  type        = string
}
