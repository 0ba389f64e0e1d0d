# Who reaches the tasks, and whom they reach: the balancer in, named neighbours out, and nothing else.
resource "aws_security_group" "this" {
  name        = var.name
  description = "Tasks of ${var.name}"
  vpc_id      = var.vpc_id
}

resource "aws_vpc_security_group_ingress_rule" "balancer" {
  security_group_id            = aws_security_group.this.id
  description                  = "The load balancer"
  referenced_security_group_id = var.balancer.security_group_id
  ip_protocol                  = "tcp"
  from_port                    = local.port
  to_port                      = local.port
}

resource "aws_vpc_security_group_egress_rule" "balancer" {
  security_group_id            = var.balancer.security_group_id
  description                  = "Tasks of ${var.name}"
  referenced_security_group_id = aws_security_group.this.id
  ip_protocol                  = "tcp"
  from_port                    = local.port
  to_port                      = local.port
}

# Each task is asked for its own metrics, past the balancer.
resource "aws_vpc_security_group_ingress_rule" "metrics" {
  for_each = var.metrics_cidrs

  security_group_id = aws_security_group.this.id
  description       = "Prometheus"
  cidr_ipv4         = each.value
  ip_protocol       = "tcp"
  from_port         = local.port
  to_port           = local.port
}

resource "aws_vpc_security_group_egress_rule" "neighbours" {
  for_each = var.reaches

  security_group_id            = aws_security_group.this.id
  description                  = each.key
  referenced_security_group_id = each.value.security_group_id
  cidr_ipv4                    = each.value.cidr
  ip_protocol                  = "tcp"
  from_port                    = each.value.port
  to_port                      = each.value.port
}

resource "aws_vpc_security_group_egress_rule" "aws_interfaces" {
  security_group_id            = aws_security_group.this.id
  description                  = "AWS interfaces"
  referenced_security_group_id = var.doors.security_group_id
  ip_protocol                  = "tcp"
  from_port                    = 443
  to_port                      = 443
}

resource "aws_vpc_security_group_egress_rule" "image_layers" {
  security_group_id = aws_security_group.this.id
  description       = "Layers of images"
  prefix_list_id    = var.doors.s3_prefix_list_id
  ip_protocol       = "tcp"
  from_port         = 443
  to_port           = 443
}
