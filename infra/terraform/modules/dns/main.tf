# The names of one place in the platform's private zone. A name that several places have is answered by latency: the caller gets the
# nearest place that is healthy, which is the load balancer's word, so that no checker has to reach into the network.
resource "aws_route53_record" "own" {
  for_each = var.own_names

  zone_id = var.zone_id
  name    = each.value
  type    = "A"

  alias {
    name                   = var.alias.name
    zone_id                = var.alias.zone_id
    evaluate_target_health = true
  }
}

resource "aws_route53_record" "nearest" {
  for_each = var.shared_names

  zone_id        = var.zone_id
  name           = each.value
  type           = "A"
  set_identifier = var.place

  latency_routing_policy {
    region = var.aws_region
  }

  alias {
    name                   = var.alias.name
    zone_id                = var.alias.zone_id
    evaluate_target_health = true
  }
}

# The networks in which the names are known.
resource "aws_route53_zone_association" "this" {
  for_each = var.networks

  zone_id    = var.zone_id
  vpc_id     = each.value
  vpc_region = var.aws_region
}
