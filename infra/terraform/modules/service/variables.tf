variable "place" {
  description = "The place it runs in, such as meridian-eu-west."
  type        = string
}

variable "role" {
  description = "What it is there, such as limiter."
  type        = string
}

variable "name" {
  description = "Its name in the account: place and role. Names of target groups end at 32 characters."
  type        = string

  validation {
    condition     = length(var.name) <= 32
    error_message = "name must have at most 32 characters, got ${var.name}."
  }
}

variable "account_id" {
  description = "The AWS account."
  type        = string
}

variable "aws_region" {
  description = "The AWS region."
  type        = string
}

variable "cluster" {
  description = "The ECS cluster."
  type        = object({ name = string, arn = string })
}

variable "repository" {
  description = "The repository of its image, which has Java in /opt/java and a user of its own."
  type        = object({ url = string, arn = string })
}

variable "release" {
  description = "The tag of its image."
  type        = string
}

variable "cpu" {
  description = "CPU units of a task, 1024 being one vCPU."
  type        = number

  validation {
    condition     = contains([1024, 2048, 4096, 8192, 16384], var.cpu)
    error_message = "cpu must be 1024, 2048, 4096, 8192 or 16384, got ${var.cpu}: a service on less than a vCPU is paused for longer than its budgets are."
  }
}

variable "memory" {
  description = "Memory of a task in MiB: 2 to 8 GiB for each vCPU."
  type        = number

  validation {
    condition     = var.memory >= 2 * var.cpu && var.memory <= 8 * var.cpu
    error_message = "memory must be 2 to 8 MiB for each CPU unit, got ${var.memory} for ${var.cpu}: Fargate has no other sizes."
  }
}

variable "cpu_architecture" {
  description = "X86_64 or ARM64, as the image is built."
  type        = string
  default     = "X86_64"

  validation {
    condition     = contains(["X86_64", "ARM64"], var.cpu_architecture)
    error_message = "cpu_architecture must be X86_64 or ARM64, got ${var.cpu_architecture}."
  }
}

variable "tasks" {
  description = "How many tasks run, and what more are started for: average CPU, requests per task and minute. With min = max their number is fixed."
  type = object({
    min                 = number
    max                 = number
    cpu_percent         = optional(number)
    requests_per_minute = optional(number)
  })

  validation {
    condition     = var.tasks.min >= 2 && var.tasks.max >= var.tasks.min
    error_message = "tasks must be at least 2, and max no less than min, got ${jsonencode(var.tasks)}: one may be lost."
  }
}

variable "environment" {
  description = "What the service is told. In a value, an expression such as $${NAME} is replaced by the service with another variable of its own."
  type        = map(string)
}

variable "secrets" {
  description = "Variables whose values the task takes from fields of secrets when it starts."
  type        = map(object({ arn = string, field = string }))
  default     = {}
}

variable "files" {
  description = "Files in /prepared, for settings that want one: a field of a secret after a prefix, or a text that is no secret."
  type = map(object({
    secret = optional(object({ arn = string, field = string }))
    text   = optional(string)
    prefix = optional(string, "")
  }))
  default = {}

  validation {
    condition     = alltrue([for file, content in var.files : can(regex("^[a-z][a-z0-9.-]*$", file)) && can(regex("^[A-Za-z0-9_-]*$", content.prefix))])
    error_message = "files must have plain names and prefixes, got ${jsonencode(keys(var.files))}: they are part of a shell command."
  }

  validation {
    condition     = length(var.files) == 0 || var.shell != null
    error_message = "shell must be given where there are files: our images have none to write them."
  }
}

variable "shell" {
  description = "An image with sh and printf, in a repository of the account, that writes the files."
  type        = object({ image = string, repository_arn = string })
  default     = null
}

variable "key_arn" {
  description = "The key of the place: of its logs, and of the secrets it reads."
  type        = string
}

variable "secret_key_arns" {
  description = "Further keys, of secrets that another place keeps in the same AWS region."
  type        = set(string)
  default     = []
}

variable "vpc_id" {
  description = "The network."
  type        = string
}

variable "subnet_ids" {
  description = "The subnets of the service tier."
  type        = list(string)
}

variable "doors" {
  description = "How tasks reach AWS interfaces, as the network says it."
  type        = object({ security_group_id = string, s3_prefix_list_id = string })
}

variable "balancer" {
  description = "The load balancer in front, as its module says it."
  type        = object({ arn_suffix = string, listener_arn = string, security_group_id = string })
}

variable "listener_priority" {
  description = "The place of its names among those of the balancer's other services."
  type        = number
}

variable "hosts" {
  description = "The names by which it is called."
  type        = list(string)
}

variable "reaches" {
  description = "Whom its tasks may call besides AWS interfaces: a security group or a block of addresses, and a port."
  type = map(object({
    port              = number
    security_group_id = optional(string)
    cidr              = optional(string)
  }))
}

variable "metrics_cidrs" {
  description = "From where Prometheus asks each task for its metrics."
  type        = set(string)
  default     = []

  validation {
    condition     = alltrue([for cidr in var.metrics_cidrs : can(cidrhost(cidr, 0)) && tonumber(split("/", cidr)[1]) >= 8])
    error_message = "metrics_cidrs must be blocks of a /8 or smaller, got ${jsonencode(var.metrics_cidrs)}."
  }
}

variable "p99_seconds" {
  description = "The slowest p99, seen by the load balancer, that is no alarm."
  type        = number
}

variable "alarm_topic_arn" {
  description = "Where alarms go."
  type        = string
}

variable "drill_agent" {
  description = "An image of the Systems Manager agent, in a repository of the account, made as the FIS guide on ECS tasks says. Null: drills do not touch a task's network."
  type        = object({ image = string, repository_arn = string })
  default     = null
}
