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
  description = "CPU units and MiB of a task, and how many there are."
  type        = object({ cpu = number, memory = number, tasks = number })
}

variable "database" {
  description = "The policy store: address, security group, secret of its user, and the authorities that sign its certificates."
  type = object({
    address           = object({ host = string, port = number, database = string })
    security_group_id = string
    secret_arn        = string
    authorities_pem   = string
  })

  validation {
    condition     = can(regex("BEGIN CERTIFICATE", var.database.authorities_pem)) && length(var.database.authorities_pem) < 30000
    error_message = "database.authorities_pem must be RDS' certificates of one AWS region: a task's definition has no room for those of all."
  }
}

variable "shell" {
  description = "An image with sh and printf, in a repository of the account: it writes the token and the certificates to files."
  type        = object({ image = string, repository_arn = string })
}

variable "oidc" {
  description = "An identity provider besides our own tokens; its keys must be reachable from inside the network. Null: none."
  type        = object({ issuer = string, jwks_url = string, audience = string })
  default     = null

  validation {
    condition     = var.oidc == null ? true : startswith(var.oidc.issuer, "https://") && startswith(var.oidc.jwks_url, "https://")
    error_message = "oidc must have an issuer and a jwks_url that begin with https://: keys that came in the clear prove nothing."
  }
}
