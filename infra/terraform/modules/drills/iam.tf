# The role of the experiments: for each kind of fault that this place has a template of, what the fault needs, on what it may break.
locals {
  tasks     = concat(values(var.stop_task), values(var.slow_link), values(var.lost_port))
  clusters  = distinct([for fault in local.tasks : fault.cluster])
  task_arns = [for cluster in local.clusters : "arn:aws:ecs:${var.aws_region}:${var.account_id}:task/${cluster}/*"]

  statements = concat(
    [{
      Sid      = "Logs"
      Effect   = "Allow"
      Action   = ["logs:CreateLogDelivery", "logs:PutResourcePolicy", "logs:DescribeResourcePolicies", "logs:DescribeLogGroups"]
      Resource = "*" # These actions know no narrower one.
    }],
    [for statement in [
      {
        Sid       = "FindTasks"
        Effect    = "Allow"
        Action    = ["ecs:ListTasks", "ecs:DescribeTasks"]
        Resource  = "*"
        Condition = { ArnEquals = { "ecs:cluster" = [for cluster in local.clusters : "arn:aws:ecs:${var.aws_region}:${var.account_id}:cluster/${cluster}"] } }
      },
      {
        Sid      = "StopTasks"
        Effect   = "Allow"
        Action   = "ecs:StopTask"
        Resource = local.task_arns
      },
    ] : statement if length(local.tasks) > 0],
    [for statement in [
      {
        Sid    = "TaskNetwork"
        Effect = "Allow"
        Action = "ssm:SendCommand"
        Resource = [
          "arn:aws:ssm:${var.aws_region}:${var.account_id}:managed-instance/*",
          "arn:aws:ssm:${var.aws_region}::document/AWSFIS-Run-Network-*",
        ]
      },
      {
        Sid      = "TaskNetworkEnd"
        Effect   = "Allow"
        Action   = ["ssm:ListCommands", "ssm:CancelCommand"]
        Resource = "*"
      },
    ] : statement if length(var.slow_link) + length(var.lost_port) > 0],
    [for statement in [
      {
        Sid      = "FindNetwork"
        Effect   = "Allow"
        Action   = ["ec2:DescribeManagedPrefixLists", "ec2:DescribeNetworkAcls", "ec2:DescribeSubnets", "ec2:DescribeVpcs"]
        Resource = "*"
      },
      {
        Sid       = "OwnNetworkAcl"
        Effect    = "Allow"
        Action    = "ec2:CreateNetworkAcl"
        Resource  = "arn:aws:ec2:${var.aws_region}:${var.account_id}:network-acl/*"
        Condition = { StringEquals = { "aws:RequestTag/managedByFIS" = "true" } }
      },
      {
        Sid      = "OwnNetworkAclInVpc"
        Effect   = "Allow"
        Action   = "ec2:CreateNetworkAcl"
        Resource = "arn:aws:ec2:${var.aws_region}:${var.account_id}:vpc/*"
      },
      {
        Sid       = "TagOwnNetworkAcl"
        Effect    = "Allow"
        Action    = "ec2:CreateTags"
        Resource  = "arn:aws:ec2:${var.aws_region}:${var.account_id}:network-acl/*"
        Condition = { StringEquals = { "ec2:CreateAction" = "CreateNetworkAcl", "aws:RequestTag/managedByFIS" = "true" } }
      },
      {
        Sid       = "ChangeOwnNetworkAcl"
        Effect    = "Allow"
        Action    = ["ec2:CreateNetworkAclEntry", "ec2:DeleteNetworkAcl"]
        Resource  = "arn:aws:ec2:${var.aws_region}:${var.account_id}:network-acl/*"
        Condition = { StringEquals = { "ec2:ResourceTag/managedByFIS" = "true" } }
      },
      {
        Sid    = "SwapNetworkAcl"
        Effect = "Allow"
        Action = "ec2:ReplaceNetworkAclAssociation"
        Resource = concat(
          flatten([for fault in var.cut_off : fault.subnet_arns]),
          ["arn:aws:ec2:${var.aws_region}:${var.account_id}:network-acl/*"],
        )
      },
    ] : statement if length(var.cut_off) > 0],
    [for statement in [
      {
        Sid      = "InterruptRedis"
        Effect   = "Allow"
        Action   = ["elasticache:InterruptClusterAzPower", "elasticache:DescribeReplicationGroups"]
        Resource = [for fault in var.redis_outage : fault.replication_group_arn]
      },
      {
        Sid      = "FindRedis"
        Effect   = "Allow"
        Action   = "tag:GetResources"
        Resource = "*"
      },
    ] : statement if length(var.redis_outage) > 0],
    [for statement in [
      {
        Sid      = "FailOver"
        Effect   = "Allow"
        Action   = "rds:FailoverDBCluster"
        Resource = [for fault in var.database_failover : fault.cluster_arn]
      },
      {
        Sid      = "FindDatabase"
        Effect   = "Allow"
        Action   = ["rds:DescribeDBClusters", "rds:DescribeDBInstances"]
        Resource = "*"
      },
    ] : statement if length(var.database_failover) > 0],
  )
}

resource "aws_iam_role" "this" {
  name = "${var.name}-drills"

  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "fis.amazonaws.com" }
      Action    = "sts:AssumeRole"
      Condition = {
        StringEquals = { "aws:SourceAccount" = var.account_id }
        ArnLike      = { "aws:SourceArn" = "arn:aws:fis:${var.aws_region}:${var.account_id}:experiment/*" }
      }
    }]
  })
}

resource "aws_iam_role_policy" "this" {
  name   = "break"
  role   = aws_iam_role.this.id
  policy = jsonencode({ Version = "2012-10-17", Statement = local.statements })
}
