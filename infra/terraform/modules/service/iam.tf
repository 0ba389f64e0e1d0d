# Two roles: execution starts the task (image, secrets, logs); the service itself, once it runs, may call nothing of AWS.
locals {
  tasks_only = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "ecs-tasks.amazonaws.com" }
      Action    = "sts:AssumeRole"
      Condition = {
        StringEquals = { "aws:SourceAccount" = var.account_id }
        ArnLike      = { "aws:SourceArn" = "arn:aws:ecs:${var.aws_region}:${var.account_id}:*" }
      }
    }]
  })

  secret_arns = distinct(concat(
    [for secret in var.secrets : secret.arn],
    [for file in var.files : file.secret.arn if file.secret != null],
  ))
}

resource "aws_iam_role" "execution" {
  name               = "${var.name}-execution"
  assume_role_policy = local.tasks_only
}

resource "aws_iam_role_policy" "execution" {
  name = "start"
  role = aws_iam_role.execution.id

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        # It names no resource: a token for the registry is a token for the registry.
        Sid      = "Registry"
        Effect   = "Allow"
        Action   = "ecr:GetAuthorizationToken"
        Resource = "*"
      },
      {
        Sid      = "Image"
        Effect   = "Allow"
        Action   = ["ecr:BatchCheckLayerAvailability", "ecr:BatchGetImage", "ecr:GetDownloadUrlForLayer"]
        Resource = concat([var.repository.arn], [for helper in [var.shell, var.drill_agent] : helper.repository_arn if helper != null])
      },
      {
        Sid      = "Logs"
        Effect   = "Allow"
        Action   = ["logs:CreateLogStream", "logs:PutLogEvents"]
        Resource = "${aws_cloudwatch_log_group.this.arn}:*"
      },
      {
        Sid      = "Secrets"
        Effect   = "Allow"
        Action   = "secretsmanager:GetSecretValue"
        Resource = local.secret_arns
      },
      {
        Sid       = "SecretsKey"
        Effect    = "Allow"
        Action    = "kms:Decrypt"
        Resource  = concat([var.key_arn], tolist(var.secret_key_arns))
        Condition = { StringEquals = { "kms:ViaService" = "secretsmanager.${var.aws_region}.amazonaws.com" } }
      },
    ]
  })
}

resource "aws_iam_role" "task" {
  name               = "${var.name}-task"
  assume_role_policy = local.tasks_only
}

# For drills that slow a task's network down: the agent beside the service registers the task with Systems Manager.
resource "aws_iam_role_policy" "drill_agent" {
  count = local.with_drill_agent ? 1 : 0

  name = "drill-agent"
  role = aws_iam_role.task.id

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Effect   = "Allow"
        Action   = ["ssm:CreateActivation", "ssm:AddTagsToResource"]
        Resource = ["arn:aws:ssm:${var.aws_region}:${var.account_id}:*"]
      },
      {
        Effect   = "Allow"
        Action   = "iam:PassRole"
        Resource = one(aws_iam_role.drill_agent[*].arn)
      },
    ]
  })
}

resource "aws_iam_role" "drill_agent" {
  count = local.with_drill_agent ? 1 : 0

  name = "${var.name}-drill-agent"

  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "ssm.amazonaws.com" }
      Action    = "sts:AssumeRole"
      Condition = { StringEquals = { "aws:SourceAccount" = var.account_id } }
    }]
  })
}

resource "aws_iam_role_policy_attachment" "drill_agent" {
  count = local.with_drill_agent ? 1 : 0

  role       = aws_iam_role.drill_agent[0].name
  policy_arn = "arn:aws:iam::aws:policy/AmazonSSMManagedInstanceCore"
}

resource "aws_iam_role_policy" "drill_agent_leaves" {
  count = local.with_drill_agent ? 1 : 0

  name = "leave"
  role = aws_iam_role.drill_agent[0].id

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect   = "Allow"
      Action   = ["ssm:DeleteActivation", "ssm:DeregisterManagedInstance"]
      Resource = ["arn:aws:ssm:${var.aws_region}:${var.account_id}:*"]
    }]
  })
}
