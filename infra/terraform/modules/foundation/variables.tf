variable "name" {
  description = "The name of the place, such as meridian-eu-west; all its parts are named after it."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{2,27}$", var.name))
    error_message = "name must be 3 to 28 small letters, digits and hyphens, got ${var.name}: names of load balancers are made of it."
  }
}

variable "account_id" {
  description = "The AWS account."
  type        = string
}

variable "aws_region" {
  description = "The AWS region, such as eu-west-1."
  type        = string
}

variable "alarm_emails" {
  description = "Who is mailed when an alarm is raised; each has to confirm once."
  type        = set(string)
  default     = []
}

variable "repositories" {
  description = "The image repositories of this place; without any it runs no services and has no cluster."
  type        = set(string)
  default     = []
}
