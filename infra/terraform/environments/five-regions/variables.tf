variable "project" {
  description = "What all names begin with."
  type        = string
  default     = "meridian"

  validation {
    condition     = can(regex("^[a-z][a-z0-9]{2,9}$", var.project))
    error_message = "project must be 3 to 10 small letters and digits, got ${var.project}: the longest names are made of it."
  }
}

variable "account_id" {
  description = "The AWS account. With credentials of another one nothing is done."
  type        = string

  validation {
    condition     = can(regex("^[0-9]{12}$", var.account_id))
    error_message = "account_id must be 12 digits, got ${var.account_id}."
  }
}

variable "release" {
  description = "The tag of the images, the same for all services."
  type        = string

  validation {
    condition     = can(regex("^[0-9A-Za-z][0-9A-Za-z._-]*$", var.release)) && var.release != "latest"
    error_message = "release must be the tag of one release, got ${var.release}: a tag that moves is no release."
  }
}

variable "cpu_architecture" {
  description = "X86_64 or ARM64, as the images are built."
  type        = string
  default     = "X86_64"
}

variable "domain" {
  description = "The domain of the platform, such as meridian.example.com."
  type        = string

  validation {
    condition     = can(regex("^([a-z0-9-]+\\.)+[a-z]{2,}$", var.domain))
    error_message = "domain must be a domain in small letters, without a dot at its end, got ${var.domain}."
  }
}

variable "public_zone_id" {
  description = "The public Route 53 zone of the domain: it holds the proof that certificates are issued for."
  type        = string
}

variable "caller_cidrs" {
  description = "For each region the private networks from which API servers ask its limiters."
  type        = map(set(string))
}

variable "caller_tokens" {
  description = "For each region the tokens of its callers, by name: scopes (check, operate, load), and the SHA-256 of the token, which is no secret."
  type        = map(map(object({ scopes = set(string), sha256 = string })))
}

variable "admin_cidrs" {
  description = "The private networks from which admins and operators reach config-service, its console and the sync replicas."
  type        = set(string)
}

variable "metrics_cidrs" {
  description = "The private networks from which Prometheus asks tasks for their metrics."
  type        = set(string)
  default     = []
}

variable "alarm_emails" {
  description = "Who is mailed when an alarm is raised, in every region."
  type        = set(string)
}

variable "oidc" {
  description = "An identity provider for admins besides our own tokens. Null: none."
  type        = object({ issuer = string, jwks_url = string, audience = string })
  default     = null
}

variable "shell" {
  description = "An image with sh and printf in a repository of the account in the centre's AWS region: it writes what config-service wants as files."
  type        = object({ image = string, repository_arn = string })
}

variable "database_authorities_pem" {
  description = "RDS' certificates of the centre's AWS region, as AWS publishes them; they are no secret."
  type        = string
}

variable "drill_agent" {
  description = "An image of the Systems Manager agent in a repository of the account in ap-south's AWS region, for the drills that touch a task's network. Null: without these."
  type        = object({ image = string, repository_arn = string })
  default     = null
}

variable "kafka" {
  description = "The size of a broker, and whether the ACLs have been made: see the README before it is set to true."
  type        = object({ broker_type = string, volume_gib = number, acls_defined = bool })
  default     = { broker_type = "kafka.m7g.2xlarge", volume_gib = 8000, acls_defined = false }
}

variable "sync_size" {
  description = "CPU units, MiB and number of the sync replicas. Each holds all limits in memory."
  type        = object({ cpu = number, memory = number, tasks = number })
  default     = { cpu = 4096, memory = 16384, tasks = 3 }
}

variable "config_size" {
  description = "CPU units, MiB and number of the replicas of config-service."
  type        = object({ cpu = number, memory = number, tasks = number })
  default     = { cpu = 2048, memory = 4096, tasks = 2 }
}

variable "database_instance_class" {
  description = "The size of an instance of the database."
  type        = string
  default     = "db.r7g.large"
}

variable "database_password_version" {
  description = "To be raised after the database's secret was given a new password."
  type        = number
  default     = 1
}

variable "deletion_protection" {
  description = "Whether balancers and database refuse to be deleted."
  type        = bool
  default     = true
}
