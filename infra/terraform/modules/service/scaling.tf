resource "aws_appautoscaling_target" "this" {
  service_namespace  = "ecs"
  resource_id        = "service/${var.cluster.name}/${aws_ecs_service.this.name}"
  scalable_dimension = "ecs:service:DesiredCount"
  min_capacity       = var.tasks.min
  max_capacity       = var.tasks.max
}

# Grows within a minute and shrinks slowly: a task that goes takes its leases with it.
resource "aws_appautoscaling_policy" "this" {
  for_each = {
    for measure, target in { ECSServiceAverageCPUUtilization = var.tasks.cpu_percent, ALBRequestCountPerTarget = var.tasks.requests_per_minute } :
    measure => target if target != null && var.tasks.max > var.tasks.min
  }

  name               = each.key
  policy_type        = "TargetTrackingScaling"
  service_namespace  = aws_appautoscaling_target.this.service_namespace
  resource_id        = aws_appautoscaling_target.this.resource_id
  scalable_dimension = aws_appautoscaling_target.this.scalable_dimension

  target_tracking_scaling_policy_configuration {
    target_value       = each.value
    scale_out_cooldown = 30
    scale_in_cooldown  = 300

    predefined_metric_specification {
      predefined_metric_type = each.key
      resource_label         = each.key == "ALBRequestCountPerTarget" ? "${var.balancer.arn_suffix}/${aws_lb_target_group.this.arn_suffix}" : null
    }
  }
}
