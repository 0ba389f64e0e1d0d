output "arn" {
  description = "The ARN of the secret. A copy has the same with its own region in it."
  value       = aws_cloudformation_stack.this.outputs["Arn"]
}
