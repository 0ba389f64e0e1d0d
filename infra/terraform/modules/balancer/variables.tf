variable "name" {
  description = "The name of the place."
  type        = string
}

variable "vpc_id" {
  description = "The network."
  type        = string
}

variable "subnet_ids" {
  description = "The subnets of the balancer tier, one in each zone."
  type        = list(string)
}

variable "client_cidrs" {
  description = "The private networks from which callers come."
  type        = set(string)

  validation {
    condition     = alltrue([for cidr in var.client_cidrs : can(cidrhost(cidr, 0)) && tonumber(split("/", cidr)[1]) >= 8])
    error_message = "client_cidrs must be blocks of a /8 or smaller, got ${jsonencode(var.client_cidrs)}: callers are servers of ours, not the world."
  }
}

variable "certificate_arn" {
  description = "The certificate for the names that callers use."
  type        = string
}

variable "capacity_units" {
  description = "The capacity that is held ready, in LCUs, so that a rush of callers is not met by a balancer that has yet to grow. Null: none."
  type        = number
  default     = null
}

variable "idle_timeout_seconds" {
  description = "How long an idle connection is kept; the services keep theirs for 300 s, and must be the longer ones."
  type        = number
  default     = 240

  validation {
    condition     = var.idle_timeout_seconds < 300
    error_message = "idle_timeout_seconds must be less than 300, got ${var.idle_timeout_seconds}: a request could else meet a connection that its task just closed."
  }
}

variable "deletion_protection" {
  description = "Whether it refuses to be deleted."
  type        = bool
}

variable "alarm_topic_arn" {
  description = "Where alarms go."
  type        = string
}
