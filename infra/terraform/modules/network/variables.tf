variable "name" {
  description = "The name of the place."
  type        = string
}

variable "account_id" {
  description = "The AWS account."
  type        = string
}

variable "aws_region" {
  description = "The AWS region."
  type        = string
}

variable "cidr" {
  description = "The addresses of the network. It may overlap with no other network that it is joined with."
  type        = string
}

variable "zones" {
  description = "The availability zones."
  type        = list(string)

  validation {
    condition     = length(var.zones) >= 2
    error_message = "zones must be two or more, got ${jsonencode(var.zones)}: one zone may fail."
  }
}

variable "tiers" {
  description = "The tiers: balancer, service, and one for each kind of data. A tier is what a route, and a drill's cut, applies to."
  type        = list(string)
}

variable "key_arn" {
  description = "The key that encrypts the logs."
  type        = string
}

variable "systems_manager" {
  description = "Whether tasks reach Systems Manager, by whose agent drills slow a task's network down."
  type        = bool
  default     = false
}
