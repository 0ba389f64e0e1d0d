# The users at the centre. Each region brings its own. The admin makes topics and ACLs, and no service is it.
module "user" {
  source   = "../secret"
  for_each = toset(["admin", "sync", "config"])

  name        = "AmazonMSK_${var.name}-${each.key}"
  description = "Kafka user ${each.key}"
  username    = each.key
  key_arn     = var.key_arn
}

resource "aws_msk_single_scram_secret_association" "this" {
  for_each = module.user

  cluster_arn = aws_msk_cluster.this.arn
  secret_arn  = each.value.arn
}
