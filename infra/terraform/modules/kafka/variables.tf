variable "name" {
  description = "The name of the centre; the cluster has it too."
  type        = string
}

variable "vpc_id" {
  description = "The network of the centre."
  type        = string
}

variable "subnet_ids" {
  description = "The subnets of the kafka tier: a broker in each."
  type        = list(string)

  validation {
    condition     = length(var.subnet_ids) == 3
    error_message = "subnet_ids must be three, got ${length(var.subnet_ids)}: three replicas, of which two must have what is written."
  }
}

variable "key_arn" {
  description = "The key of the centre."
  type        = string
}

variable "kafka_version" {
  description = "The version of Kafka, as MSK calls it."
  type        = string
  default     = "3.9.x.kraft"

  validation {
    condition     = can(regex("^(3\\.[789]|4\\.[0-9])\\.x(\\.kraft)?$", var.kafka_version))
    error_message = "kafka_version must be 3.7.x or later, got ${var.kafka_version}."
  }
}

variable "broker_type" {
  description = "The size of a broker."
  type        = string

  validation {
    condition     = can(regex("^kafka\\.m", var.broker_type))
    error_message = "broker_type must be of the m family, got ${var.broker_type}: others are for trials, or do not take our settings."
  }
}

variable "volume_gib" {
  description = "The disk of a broker. It can be enlarged and never made smaller."
  type        = number

  validation {
    condition     = var.volume_gib >= 100 && var.volume_gib <= 16384
    error_message = "volume_gib must be from 100 to 16384, got ${var.volume_gib}."
  }
}

variable "acls_defined" {
  description = "Whether the ACLs have been made; from then on who has none may do nothing. True before that would shut everybody out."
  type        = bool
}

variable "limiter_cidrs" {
  description = "The addresses of the limiters of each region."
  type        = map(string)

  validation {
    condition     = alltrue([for cidr in var.limiter_cidrs : can(cidrhost(cidr, 0)) && tonumber(split("/", cidr)[1]) >= 16])
    error_message = "limiter_cidrs must be blocks of a /16 or smaller, got ${jsonencode(var.limiter_cidrs)}."
  }
}

variable "client_security_groups" {
  description = "The security groups of the centre's own users of Kafka, by what they are."
  type        = map(string)
}

variable "alarm_topic_arn" {
  description = "Where alarms go."
  type        = string
}
