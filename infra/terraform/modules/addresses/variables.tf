variable "cidr" {
  description = "The addresses of the whole network."
  type        = string

  validation {
    condition     = can(cidrsubnet(var.cidr, 4, 15)) && tonumber(split("/", var.cidr)[1]) <= 20
    error_message = "cidr must be a block of at least a /20, got ${var.cidr}: its subnets are sixteenths of it."
  }
}

variable "tiers" {
  description = "The names of the tiers, in an order that never changes: a tier's place is its addresses."
  type        = list(string)

  validation {
    condition     = length(var.tiers) >= 1 && length(var.tiers) <= 4 && length(distinct(var.tiers)) == length(var.tiers)
    error_message = "tiers must be one to four different names, got ${jsonencode(var.tiers)}."
  }
}

variable "zones" {
  description = "The availability zones, in an order that never changes."
  type        = list(string)
  default     = []

  validation {
    condition     = length(var.zones) <= 4 && length(distinct(var.zones)) == length(var.zones)
    error_message = "zones must be at most four different zones, got ${jsonencode(var.zones)}."
  }
}
