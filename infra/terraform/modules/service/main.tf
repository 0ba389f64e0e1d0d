# A service of ours: tasks on Fargate behind an internal balancer, as many as the load asks for.
resource "aws_ecs_service" "this" {
  name                              = var.role
  cluster                           = var.cluster.arn
  task_definition                   = aws_ecs_task_definition.this.arn
  launch_type                       = "FARGATE"
  desired_count                     = var.tasks.min
  enable_execute_command            = false
  health_check_grace_period_seconds = 60
  propagate_tags                    = "SERVICE"
  availability_zone_rebalancing     = "ENABLED"

  # Never fewer than there should be: a new task is ready before an old one goes.
  deployment_minimum_healthy_percent = 100
  deployment_maximum_percent         = 200

  deployment_circuit_breaker {
    enable   = true
    rollback = true
  }

  network_configuration {
    subnets          = var.subnet_ids
    security_groups  = [aws_security_group.this.id]
    assign_public_ip = false
  }

  load_balancer {
    target_group_arn = aws_lb_target_group.this.arn
    container_name   = var.role
    container_port   = local.port
  }

  # Autoscaling has the last word.
  lifecycle {
    ignore_changes = [desired_count]
  }

  depends_on = [aws_lb_listener_rule.this, aws_iam_role_policy.execution]
}

resource "aws_lb_target_group" "this" {
  name                          = var.name
  vpc_id                        = var.vpc_id
  target_type                   = "ip"
  port                          = local.port
  protocol                      = "HTTPS"
  load_balancing_algorithm_type = "least_outstanding_requests"
  # What was taken is answered in milliseconds; longer would only slow a deployment down.
  deregistration_delay = 10

  # Readiness is the services' own: one that is cut off from Kafka, Redis or PostgreSQL is degraded and stays.
  health_check {
    path                = "/q/health/ready"
    protocol            = "HTTPS"
    matcher             = "200"
    interval            = 5
    timeout             = 2
    healthy_threshold   = 2
    unhealthy_threshold = 3
  }
}

resource "aws_lb_listener_rule" "this" {
  listener_arn = var.balancer.listener_arn
  priority     = var.listener_priority

  condition {
    host_header {
      values = var.hosts
    }
  }

  action {
    type             = "forward"
    target_group_arn = aws_lb_target_group.this.arn
  }
}
