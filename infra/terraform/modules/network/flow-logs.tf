# What was refused is logged: who knocks where nobody should. What was admitted would cost more than it tells.
resource "aws_flow_log" "refused" {
  vpc_id          = aws_vpc.this.id
  traffic_type    = "REJECT"
  log_destination = aws_cloudwatch_log_group.refused.arn
  iam_role_arn    = aws_iam_role.flow_log.arn
}

resource "aws_cloudwatch_log_group" "refused" {
  name              = "/${var.name}/refused"
  retention_in_days = 30
  kms_key_id        = var.key_arn
}

resource "aws_iam_role" "flow_log" {
  name = "${var.name}-flow-log"

  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "vpc-flow-logs.amazonaws.com" }
      Action    = "sts:AssumeRole"
      Condition = { StringEquals = { "aws:SourceAccount" = var.account_id } }
    }]
  })
}

resource "aws_iam_role_policy" "flow_log" {
  name = "write"
  role = aws_iam_role.flow_log.id

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect   = "Allow"
      Action   = ["logs:CreateLogStream", "logs:PutLogEvents", "logs:DescribeLogStreams"]
      Resource = "${aws_cloudwatch_log_group.refused.arn}:*"
    }]
  })
}
