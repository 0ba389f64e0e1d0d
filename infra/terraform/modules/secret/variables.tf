variable "name" {
  description = "The name of the secret."
  type        = string
}

variable "description" {
  description = "Whose it is and what it opens."
  type        = string
}

variable "username" {
  description = "The user name that stands beside the password."
  type        = string
}

variable "key_arn" {
  description = "The key that encrypts it."
  type        = string
}

variable "copies" {
  description = "The AWS regions that keep a copy, each with the key that encrypts it there: tasks start by what is in their own region."
  type        = map(string)
  default     = {}
}

variable "hex_digits" {
  description = "The length of a password of hex digits, four bits each. Null: 40 letters and digits."
  type        = number
  default     = null
}
