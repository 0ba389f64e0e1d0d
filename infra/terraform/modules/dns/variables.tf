variable "zone_id" {
  description = "The private zone."
  type        = string
}

variable "place" {
  description = "The name of the place among those that share a name, such as eu-west."
  type        = string
}

variable "aws_region" {
  description = "The AWS region of the place: latency is measured to it."
  type        = string
}

variable "own_names" {
  description = "The names that are this place's alone."
  type        = set(string)
  default     = []
}

variable "shared_names" {
  description = "The names it shares with other places; callers are sent to the nearest healthy one."
  type        = set(string)
  default     = []
}

variable "alias" {
  description = "The load balancer of the place."
  type        = object({ name = string, zone_id = string })
}

variable "networks" {
  description = "The networks, all in aws_region, in which the zone is to be known, by a name of your own."
  type        = map(string)
  default     = {}
}
