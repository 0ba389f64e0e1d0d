# The link to the centre: limiters to Kafka and nothing else. A peering leads to one network only and not on from there, so regions
# cannot reach each other; a transit gateway would lead everywhere until told not to, for a price by the hour and the gigabyte.
resource "aws_vpc_peering_connection" "centre" {
  vpc_id      = module.network.vpc_id
  peer_vpc_id = var.centre.vpc_id
  peer_region = var.centre.aws_region
  auto_accept = false

  tags = { Name = "${local.place}-centre" }
}

resource "aws_vpc_peering_connection_accepter" "centre" {
  provider = aws.centre

  vpc_peering_connection_id = aws_vpc_peering_connection.centre.id
  auto_accept               = true

  tags = { Name = "${local.place}-centre" }
}

resource "aws_route" "to_kafka" {
  route_table_id            = module.network.route_table_ids["service"]
  destination_cidr_block    = var.centre.kafka_cidr
  vpc_peering_connection_id = aws_vpc_peering_connection_accepter.centre.id
}

resource "aws_route" "from_kafka" {
  provider = aws.centre

  route_table_id            = var.centre.kafka_route_table_id
  destination_cidr_block    = module.network.tier_cidrs["service"]
  vpc_peering_connection_id = aws_vpc_peering_connection_accepter.centre.id
}

# The region's own user of Kafka: it can be shut out without touching the others. MSK wants its secret beside the cluster, under this
# name; tasks read the copy in their own region, so that they start also while they are cut off from the centre.
module "kafka_user" {
  source    = "../secret"
  providers = { aws = aws.centre }

  name        = "AmazonMSK_${local.place}-limiter"
  description = "Kafka user of the limiters of ${var.name}"
  username    = "limiter-${var.name}"
  key_arn     = local.at_centre ? module.foundation.key_arn : var.centre.key_arn
  copies      = local.at_centre ? {} : { (local.aws_region) = module.foundation.key_arn }
}

resource "aws_msk_single_scram_secret_association" "this" {
  provider = aws.centre

  cluster_arn = var.centre.kafka_cluster_arn
  secret_arn  = module.kafka_user.arn
}

locals {
  kafka_secret_arn = replace(module.kafka_user.arn, ":${var.centre.aws_region}:", ":${local.aws_region}:")
}
