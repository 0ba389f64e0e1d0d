variable "name" {
  description = "What the names of the alarms begin with."
  type        = string
}

variable "topic_arn" {
  description = "The SNS topic that is told."
  type        = string
}

variable "alarms" {
  description = <<-E
    The alarms by name. The alarm is raised when metric, or its share in percent_of if that is given, was on the wrong side of
    threshold (when: >, >=, <) for so many periods of so many seconds. missing says what silence means.
  E
  type = map(object({
    description = string
    namespace   = string
    metric      = string
    dimensions  = map(string)
    statistic   = optional(string, "Maximum")
    percent_of  = optional(string)
    when        = optional(string, ">")
    threshold   = number
    period      = optional(number, 60)
    periods     = optional(number, 3)
    missing     = optional(string, "missing")
  }))

  validation {
    condition     = alltrue([for alarm in var.alarms : contains([">", ">=", "<"], alarm.when)])
    error_message = "when must be >, >= or < in every alarm."
  }

  validation {
    condition     = alltrue([for alarm in var.alarms : contains(["missing", "breaching", "notBreaching", "ignore"], alarm.missing)])
    error_message = "missing must be missing, breaching, notBreaching or ignore in every alarm."
  }
}
