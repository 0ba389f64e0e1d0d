# An internal load balancer: it has private addresses only, speaks TLS only, and knows its services by the name they are called by.
# An application balancer rather than a network one: connections of callers live long, and requests, not connections, have to be
# spread, also over tasks that joined a minute ago; and it counts answers and their time, which alarms need.
resource "aws_lb" "this" {
  name                       = var.name
  internal                   = true
  load_balancer_type         = "application"
  subnets                    = var.subnet_ids
  security_groups            = [aws_security_group.this.id]
  idle_timeout               = var.idle_timeout_seconds
  drop_invalid_header_fields = true
  enable_deletion_protection = var.deletion_protection

  dynamic "minimum_load_balancer_capacity" {
    for_each = var.capacity_units == null ? [] : [var.capacity_units]
    content {
      capacity_units = minimum_load_balancer_capacity.value
    }
  }
}

resource "aws_security_group" "this" {
  name        = "${var.name}-balancer"
  description = "Load balancer of ${var.name}"
  vpc_id      = var.vpc_id
}

resource "aws_vpc_security_group_ingress_rule" "clients" {
  for_each = var.client_cidrs

  security_group_id = aws_security_group.this.id
  description       = "Callers"
  cidr_ipv4         = each.value
  ip_protocol       = "tcp"
  from_port         = 443
  to_port           = 443
}

# Who calls by no known name is told so here; services put their names in front of it.
resource "aws_lb_listener" "https" {
  load_balancer_arn = aws_lb.this.arn
  port              = 443
  protocol          = "HTTPS"
  ssl_policy        = "ELBSecurityPolicy-TLS13-1-2-2021-06"
  certificate_arn   = var.certificate_arn

  default_action {
    type = "fixed-response"
    fixed_response {
      content_type = "text/plain"
      status_code  = "404"
    }
  }
}

module "alarms" {
  source    = "../alarms"
  name      = var.name
  topic_arn = var.alarm_topic_arn

  alarms = {
    balancer-failures = {
      description = "The load balancer itself answers with 5xx: no task could take the request"
      namespace   = "AWS/ApplicationELB"
      metric      = "HTTPCode_ELB_5XX_Count"
      percent_of  = "RequestCount"
      dimensions  = { LoadBalancer = aws_lb.this.arn_suffix }
      threshold   = 0.1
      missing     = "notBreaching"
    }
  }
}
