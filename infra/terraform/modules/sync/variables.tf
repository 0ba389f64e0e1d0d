variable "place" {
  description = "What it is part of: the centre, with its network, cluster, balancer, key, repository and topic for alarms."
  type = object({
    name            = string
    account_id      = string
    aws_region      = string
    key_arn         = string
    alarm_topic_arn = string
    cluster         = object({ name = string, arn = string })
    vpc_id          = string
    subnet_ids      = list(string)
    doors           = object({ security_group_id = string, s3_prefix_list_id = string })
    balancer        = object({ arn_suffix = string, listener_arn = string, security_group_id = string })
  })
}

variable "repository" {
  description = "The repository of its image."
  type        = object({ url = string, arn = string })
}

variable "release" {
  description = "The tag of its image."
  type        = string
}

variable "cpu_architecture" {
  description = "X86_64 or ARM64, as the image is built."
  type        = string
}

variable "host" {
  description = "The name by which it is called."
  type        = string
}

variable "metrics_cidrs" {
  description = "From where Prometheus asks each task for its metrics."
  type        = set(string)
  default     = []
}

variable "kafka" {
  description = "How Kafka is reached: its security group and port, what a client is told, and the secret of this service's user."
  type = object({
    security_group_id = string
    port              = number
    environment       = map(string)
    secret_arn        = string
  })
}

variable "size" {
  description = "CPU units and MiB of a task, and how many there are. Each holds all limits of all regions in memory: 130 bytes a limit and window."
  type        = object({ cpu = number, memory = number, tasks = number })

  validation {
    condition     = var.size.tasks >= 2 && var.size.tasks <= 16
    error_message = "size.tasks must be from 2 to 16, got ${var.size.tasks}: one may be lost, and a 17th would have no partition to lead."
  }
}

variable "key_secret_arn" {
  description = "The secret under which counters and shards are named."
  type        = string
}
