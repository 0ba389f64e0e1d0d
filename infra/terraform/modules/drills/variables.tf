variable "name" {
  description = "The name of the place that is broken."
  type        = string
}

variable "account_id" {
  description = "The AWS account."
  type        = string
}

variable "aws_region" {
  description = "The AWS region: an experiment breaks nothing outside its own."
  type        = string
}

variable "key_arn" {
  description = "The key that encrypts the log."
  type        = string
}

variable "duration" {
  description = "How long a fault lasts, such as PT2M."
  type        = string
  default     = "PT2M"

  validation {
    condition     = can(regex("^PT([1-9]|[1-5][0-9])M$", var.duration))
    error_message = "duration must be PT1M to PT59M, got ${var.duration}: FIS knows no shorter one, and a longer one is an outage."
  }
}

variable "stop_alarms" {
  description = "The alarms, in the same AWS region, that end an experiment."
  type        = list(string)

  validation {
    condition     = length(var.stop_alarms) > 0
    error_message = "stop_alarms must not be empty: an experiment that nothing ends is an outage."
  }
}

variable "stop_task" {
  description = "Drills that stop one task of a service."
  type        = map(object({ cluster = string, service = string }))
  default     = {}
}

variable "cut_off" {
  description = "Drills that cut subnets off: from all that is outside the network (scope vpc), or from all that is outside each of them (all)."
  type        = map(object({ subnet_arns = list(string), scope = string }))
  default     = {}

  validation {
    condition     = alltrue([for fault in var.cut_off : contains(["vpc", "all"], fault.scope)])
    error_message = "scope must be vpc or all in every drill of cut_off."
  }
}

variable "redis_outage" {
  description = "Drills that take the power from Redis in one zone, where its primary is expected."
  type        = map(object({ replication_group_arn = string, zone = string }))
  default     = {}
}

variable "database_failover" {
  description = "Drills that fail a database over."
  type        = map(object({ cluster_arn = string }))
  default     = {}
}

variable "slow_link" {
  description = "Drills that delay what a service's tasks exchange with some addresses. The tasks need the drill agent."
  type        = map(object({ cluster = string, service = string, to = string, milliseconds = number }))
  default     = {}
}

variable "lost_port" {
  description = "Drills that lose what a service's tasks send to a port. The tasks need the drill agent."
  type        = map(object({ cluster = string, service = string, port = number }))
  default     = {}
}
