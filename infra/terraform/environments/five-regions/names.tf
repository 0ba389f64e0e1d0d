# The names of the platform. They are answered inside its networks only; the public zone of the same name holds nothing but the proof,
# for certificates, that it is ours.
resource "aws_route53_zone" "this" {
  provider = aws.us_east

  name    = var.domain
  comment = "Names of ${var.project}, inside its networks"

  vpc {
    vpc_id     = module.network.vpc_id
    vpc_region = local.centre_region
  }

  # Regions add their own networks.
  lifecycle {
    ignore_changes = [vpc]
  }
}

module "dns" {
  source    = "../../modules/dns"
  providers = { aws = aws.us_east }

  zone_id    = aws_route53_zone.this.zone_id
  place      = "centre"
  aws_region = local.centre_region
  own_names  = ["config.${var.domain}", "sync.${var.domain}"]
  alias      = module.balancer.alias
}

resource "aws_acm_certificate" "centre" {
  provider = aws.us_east

  domain_name       = "*.${var.domain}"
  validation_method = "DNS"
  key_algorithm     = "EC_prime256v1"

  lifecycle {
    create_before_destroy = true
  }
}

locals {
  proof = tolist(aws_acm_certificate.centre.domain_validation_options)[0]
}

# For one account and one name the proof is the same in all AWS regions.
resource "aws_route53_record" "proof" {
  provider = aws.us_east

  zone_id = var.public_zone_id
  name    = local.proof.resource_record_name
  type    = local.proof.resource_record_type
  records = [local.proof.resource_record_value]
  ttl     = 300
}

resource "aws_acm_certificate_validation" "centre" {
  provider = aws.us_east

  certificate_arn         = aws_acm_certificate.centre.arn
  validation_record_fqdns = [aws_route53_record.proof.fqdn]
}
