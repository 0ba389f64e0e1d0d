# What a place (a region, the centre, the standby) starts from: its key, its topic for alarms, its cluster, its image repositories.

resource "aws_kms_key" "this" {
  description             = "All that ${var.name} keeps: secrets, logs, Redis, Kafka, database"
  enable_key_rotation     = true
  deletion_window_in_days = 30
  policy                  = jsonencode(local.key_policy)
}

resource "aws_kms_alias" "this" {
  name          = "alias/${var.name}"
  target_key_id = aws_kms_key.this.key_id
}

locals {
  key_policy = {
    Version = "2012-10-17"
    Statement = [
      {
        # Without it nobody could ever change the key. Who of the account may use it is said by roles' own policies.
        Sid       = "Account"
        Effect    = "Allow"
        Principal = { AWS = "arn:aws:iam::${var.account_id}:root" }
        Action    = "kms:*"
        Resource  = "*"
      },
      {
        Sid       = "Logs"
        Effect    = "Allow"
        Principal = { Service = "logs.${var.aws_region}.amazonaws.com" }
        Action    = ["kms:Encrypt", "kms:Decrypt", "kms:ReEncrypt*", "kms:GenerateDataKey*", "kms:DescribeKey"]
        Resource  = "*"
        Condition = {
          ArnLike = {
            "kms:EncryptionContext:aws:logs:arn" = [
              "arn:aws:logs:${var.aws_region}:${var.account_id}:log-group:/${var.name}/*",
              "arn:aws:logs:${var.aws_region}:${var.account_id}:log-group:/aws/rds/cluster/${var.name}/*",
            ]
          }
        }
      },
      {
        Sid       = "AlarmsToTopic"
        Effect    = "Allow"
        Principal = { Service = "cloudwatch.amazonaws.com" }
        Action    = ["kms:Decrypt", "kms:GenerateDataKey*"]
        Resource  = "*"
        Condition = { StringEquals = { "aws:SourceAccount" = var.account_id } }
      },
    ]
  }
}

resource "aws_sns_topic" "alarms" {
  name              = "${var.name}-alarms"
  kms_master_key_id = aws_kms_key.this.arn
}

resource "aws_sns_topic_policy" "alarms" {
  arn = aws_sns_topic.alarms.arn
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Sid       = "AlarmsOfThisAccount"
      Effect    = "Allow"
      Principal = { Service = "cloudwatch.amazonaws.com" }
      Action    = "sns:Publish"
      Resource  = aws_sns_topic.alarms.arn
      Condition = { StringEquals = { "aws:SourceAccount" = var.account_id } }
    }]
  })
}

resource "aws_sns_topic_subscription" "email" {
  for_each = var.alarm_emails

  topic_arn = aws_sns_topic.alarms.arn
  protocol  = "email"
  endpoint  = each.value
}

# Insights: without them nobody counts running tasks, and the alarm on them would sleep.
resource "aws_ecs_cluster" "this" {
  count = length(var.repositories) > 0 ? 1 : 0

  name = var.name

  setting {
    name  = "containerInsights"
    value = "enabled"
  }
}

# A release is pushed once and never changes: what was tested is what runs.
resource "aws_ecr_repository" "this" {
  for_each = var.repositories

  name                 = each.value
  image_tag_mutability = "IMMUTABLE"

  encryption_configuration {
    encryption_type = "KMS"
    kms_key         = aws_kms_key.this.arn
  }

  image_scanning_configuration {
    scan_on_push = true
  }
}
