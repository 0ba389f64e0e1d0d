# Images are pushed to the centre's AWS region and copied from there: a region starts tasks by what it has itself.
resource "aws_ecr_replication_configuration" "this" {
  provider = aws.us_east

  replication_configuration {
    rule {
      dynamic "destination" {
        for_each = setsubtract([for region in local.regions : region.aws_region], [local.centre_region])
        content {
          region      = destination.value
          registry_id = var.account_id
        }
      }

      repository_filter {
        filter      = "${var.project}/"
        filter_type = "PREFIX_MATCH"
      }
    }
  }
}
