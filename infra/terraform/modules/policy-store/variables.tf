variable "name" {
  description = "The name of the centre; the database has it too."
  type        = string
}

variable "engine_version" {
  description = "The version of PostgreSQL, as Aurora calls it."
  type        = string
  default     = "17.4"

  validation {
    condition     = can(regex("^1[5-9]\\.[0-9]+$", var.engine_version))
    error_message = "engine_version must be 15 or later, with its minor version, got ${var.engine_version}."
  }
}

variable "instance_class" {
  description = "The size of an instance."
  type        = string

  validation {
    condition     = can(regex("^db\\.r", var.instance_class))
    error_message = "instance_class must be of the r family, got ${var.instance_class}: no other one can be part of a global database."
  }
}

variable "instances" {
  description = "How many instances there are at the centre: one writes, another takes over."
  type        = number
  default     = 2

  validation {
    condition     = var.instances >= 2
    error_message = "instances must be 2 or more, got ${var.instances}: one may be lost."
  }
}

variable "password_version" {
  description = "To be raised after the secret was given a new password, so that the database learns it."
  type        = number
  default     = 1
}

variable "backup_days" {
  description = "For how many days the database can be set back."
  type        = number
  default     = 14

  validation {
    condition     = var.backup_days >= 7 && var.backup_days <= 35
    error_message = "backup_days must be from 7 to 35, got ${var.backup_days}."
  }
}

variable "connections_max" {
  description = "More connections than this are an alarm: a replica of config-service has 16, and 2 while it brings the schema up to date."
  type        = number
  default     = 120
}

variable "deletion_protection" {
  description = "Whether it refuses to be deleted."
  type        = bool
}

variable "vpc_id" {
  description = "The network of the centre."
  type        = string
}

variable "subnet_ids" {
  description = "The subnets of the database tier."
  type        = list(string)
}

variable "client_security_group_id" {
  description = "The security group of config-service, the only one that is admitted."
  type        = string
}

variable "key_arn" {
  description = "The key of the centre."
  type        = string
}

variable "alarm_topic_arn" {
  description = "Where alarms go."
  type        = string
}

variable "replica_vpc_id" {
  description = "The network of the copy."
  type        = string
}

variable "replica_subnet_ids" {
  description = "The subnets of the copy."
  type        = list(string)
}

variable "replica_key_arn" {
  description = "The key in the copy's AWS region."
  type        = string
}

variable "replica_alarm_topic_arn" {
  description = "Where alarms on the copy go: a topic in its own AWS region."
  type        = string
}
