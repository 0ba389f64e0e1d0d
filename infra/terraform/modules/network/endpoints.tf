# The doors to AWS interfaces, inside the network. Only tasks need them, so they are only where tasks are.
locals {
  has_tasks = contains(var.tiers, "service")

  endpoints = local.has_tasks ? setunion(
    ["ecr.api", "ecr.dkr", "logs", "secretsmanager"],
    var.systems_manager ? ["ssm", "ssmmessages", "ec2messages"] : [],
  ) : []
}

resource "aws_security_group" "endpoints" {
  count = local.has_tasks ? 1 : 0

  name        = "${var.name}-endpoints"
  description = "AWS interfaces, for tasks of this network"
  vpc_id      = aws_vpc.this.id

  ingress {
    description = "Tasks"
    from_port   = 443
    to_port     = 443
    protocol    = "tcp"
    cidr_blocks = [module.addresses.tiers["service"]]
  }

  egress = []
}

resource "aws_vpc_endpoint" "interface" {
  for_each = local.endpoints

  vpc_id              = aws_vpc.this.id
  service_name        = "com.amazonaws.${var.aws_region}.${each.key}"
  vpc_endpoint_type   = "Interface"
  private_dns_enabled = true
  subnet_ids          = [for name, subnet in module.addresses.subnets : aws_subnet.this[name].id if subnet.tier == "service"]
  security_group_ids  = aws_security_group.endpoints[*].id

  # Through these doors only what belongs to the account is reached: a stolen credential of another one is of no use here.
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = "*"
      Action    = "*"
      Resource  = "*"
      Condition = { StringEquals = { "aws:PrincipalAccount" = var.account_id } }
    }]
  })

  tags = { Name = "${var.name}-${each.key}" }
}

# The layers of images lie in a bucket of ECR; nothing else is read from S3.
resource "aws_vpc_endpoint" "s3" {
  count = local.has_tasks ? 1 : 0

  vpc_id            = aws_vpc.this.id
  service_name      = "com.amazonaws.${var.aws_region}.s3"
  vpc_endpoint_type = "Gateway"
  route_table_ids   = [aws_route_table.this["service"].id]

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = "*"
      Action    = "s3:GetObject"
      Resource  = "arn:aws:s3:::prod-${var.aws_region}-starport-layer-bucket/*"
    }]
  })

  tags = { Name = "${var.name}-s3" }
}
