output "templates" {
  description = "The id of each experiment template, by the name of the drill."
  value       = { for name, template in aws_fis_experiment_template.this : name => template.id }
}
