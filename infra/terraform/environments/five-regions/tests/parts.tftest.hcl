# Parts by themselves: what cannot be seen from outside of a module, and what a module refuses.
mock_provider "aws" {
  alias = "us_east"
}

mock_provider "aws" {
  alias = "us_west"
}

# Not mocked, for mocked providers know no ephemeral values. It has nothing to read in a plan, and calls nobody.
provider "aws" {
  alias                       = "us_east_secrets"
  region                      = "us-east-1"
  access_key                  = "none"
  secret_key                  = "none"
  skip_credentials_validation = true
  skip_metadata_api_check     = true
  skip_region_validation      = true
  skip_requesting_account_id  = true
}

override_resource {
  target          = aws_cloudwatch_log_group.this
  override_during = plan
  values          = { arn = "arn:aws:logs:us-east-1:123456789012:log-group:/place/limiter" }
}

variables {
  account_id               = "123456789012"
  release                  = "1.0.0"
  domain                   = "meridian.example.com"
  public_zone_id           = "Z0123456789EXAMPLE"
  alarm_emails             = []
  admin_cidrs              = ["10.0.0.0/16"]
  caller_cidrs             = {}
  caller_tokens            = {}
  shell                    = { image = "shell:1", repository_arn = "arn:aws:ecr:us-east-1:123456789012:repository/shell" }
  database_authorities_pem = "-----BEGIN CERTIFICATE-----"

  # Of the parts.
  name            = "place"
  place           = "place"
  role            = "limiter"
  aws_region      = "us-east-1"
  vpc_id          = "vpc-1"
  subnet_ids      = ["subnet-1", "subnet-2", "subnet-3"]
  key_arn         = "arn:aws:kms:us-east-1:123456789012:key/own"
  alarm_topic_arn = "arn:aws:sns:us-east-1:123456789012:alarms"
  cluster         = { name = "place", arn = "arn:aws:ecs:us-east-1:123456789012:cluster/place" }
  repository      = { url = "registry/limiter", arn = "arn:aws:ecr:us-east-1:123456789012:repository/limiter" }
  doors           = { security_group_id = "sg-doors", s3_prefix_list_id = "pl-s3" }
  balancer = {
    arn_suffix        = "app/place/1"
    listener_arn      = "arn:aws:elasticloadbalancing:us-east-1:123456789012:listener/app/place/1/2"
    security_group_id = "sg-balancer"
  }
  listener_priority = 10
  hosts             = ["limiter.example.com"]
  cpu               = 4096
  memory            = 8192
  tasks             = { min = 2, max = 4, cpu_percent = 50 }
  p99_seconds       = 0.01
  reaches           = { redis = { port = 6379, security_group_id = "sg-redis" } }
  environment       = { GREETING = "hello" }
  secrets           = { TOKEN = { arn = "arn:aws:secretsmanager:us-east-1:123456789012:secret:token", field = "password" } }
  files             = { admin-token = { secret = { arn = "arn:aws:secretsmanager:us-east-1:123456789012:secret:admin", field = "password" }, prefix = "mrd_" } }

  certificate_arn        = "arn:aws:acm:us-east-1:123456789012:certificate/1"
  client_cidrs           = ["10.0.0.0/8"]
  deletion_protection    = true
  broker_type            = "kafka.m7g.large"
  volume_gib             = 100
  acls_defined           = true
  limiter_cidrs          = { eu-west = "10.3.64.0/18" }
  client_security_groups = { sync = "sg-sync" }
  stop_alarms            = ["arn:aws:cloudwatch:us-east-1:123456789012:alarm:failed-answers"]

  instance_class           = "db.r7g.large"
  client_security_group_id = "sg-config"
  replica_vpc_id           = "vpc-2"
  replica_subnet_ids       = ["subnet-4", "subnet-5"]
  replica_key_arn          = "arn:aws:kms:us-west-2:123456789012:key/other"
  replica_alarm_topic_arn  = "arn:aws:sns:us-west-2:123456789012:alarms"
}

run "a_service" {
  command   = plan
  providers = { aws = aws.us_east }
  module {
    source = "../../modules/service"
  }

  assert {
    condition = toset([
      for statement in jsondecode(aws_iam_role_policy.execution.policy).Statement : statement.Action if statement.Resource == "*"
    ]) == toset(["ecr:GetAuthorizationToken"])
    error_message = "Nothing but a token for the registry may be asked of all resources."
  }

  assert {
    condition = one([
      for statement in jsondecode(aws_iam_role_policy.execution.policy).Statement : toset(statement.Resource) if statement.Sid == "Secrets"
      ]) == toset([
      "arn:aws:secretsmanager:us-east-1:123456789012:secret:token",
      "arn:aws:secretsmanager:us-east-1:123456789012:secret:admin",
    ])
    error_message = "A service may read its own secrets and no others."
  }

  assert {
    condition = alltrue([
      for container in jsondecode(aws_ecs_task_definition.this.container_definitions) :
      { for variable in container.environment : variable.name => variable.value }["QUARKUS_HTTP_INSECURE_REQUESTS"] == "disabled"
      if container.name == "limiter"
    ]) && aws_lb_target_group.this.protocol == "HTTPS"
    error_message = "A task must speak TLS only, to the balancer too."
  }

  assert {
    condition = one([
      for container in jsondecode(aws_ecs_task_definition.this.container_definitions) : container.command[0] if container.name == "write-files"
    ]) == "printf '%s%s' 'mrd_' \"$${FILE_ADMIN_TOKEN}\" > /prepared/admin-token"
    error_message = "A secret that must be a file is written by the shell's container, from its own variable."
  }

  assert {
    condition     = aws_vpc_security_group_ingress_rule.balancer.referenced_security_group_id == "sg-balancer" && length(aws_vpc_security_group_ingress_rule.metrics) == 0
    error_message = "Only the balancer reaches a task."
  }

  assert {
    condition     = aws_ecs_service.this.deployment_minimum_healthy_percent == 100 && one(aws_ecs_service.this.network_configuration).assign_public_ip == false
    error_message = "A deployment must not take tasks away before others are ready, and no task may have a public address."
  }
}

run "kafka" {
  command   = plan
  providers = { aws = aws.us_east }
  module {
    source = "../../modules/kafka"
  }

  assert {
    condition = alltrue([for setting in ["auto.create.topics.enable=false", "min.insync.replicas=2", "default.replication.factor=3", "group.min.session.timeout.ms=1000", "allow.everyone.if.no.acl.found=false"] :
      contains(split("\n", aws_msk_configuration.this.server_properties), setting)
    ])
    error_message = "Brokers' settings: ${aws_msk_configuration.this.server_properties}"
  }

  assert {
    condition = (
      one(one(aws_msk_cluster.this.encryption_info).encryption_in_transit).client_broker == "TLS"
      && one(aws_msk_cluster.this.client_authentication).unauthenticated == false
      && one(aws_msk_cluster.this.encryption_info).encryption_at_rest_kms_key_arn == var.key_arn
      && aws_msk_cluster.this.number_of_broker_nodes == 3
    )
    error_message = "Three brokers, all encrypted, nobody unknown."
  }

  assert {
    condition     = output.topics.usage.partitions == output.topics.verdicts.partitions && output.topics.usage.settings["message.timestamp.type"] == "LogAppendTime" && output.topics.policies.partitions == 1
    error_message = "What is said of a partition of usage is in the same partition of verdicts; policies are in order."
  }

  assert {
    condition = (
      length([for command in output.setup_commands : command if strcontains(command, "--create ")]) == 8
      && anytrue([for command in output.setup_commands : strcontains(command, "User:limiter-eu-west --operation Write --operation Describe --topic usage --topic violations --topic reports --topic answers --topic operations")])
      && !anytrue([for command in output.setup_commands : strcontains(command, "User:limiter-eu-west") && strcontains(command, "--operation Write") && strcontains(command, "--topic verdicts")])
    )
    error_message = "Limiters must not be able to speak as leaders: ${jsonencode(output.setup_commands)}"
  }
}

run "the_policy_store" {
  command   = plan
  providers = { aws = aws.us_east, aws.replica = aws.us_west, aws.secrets = aws.us_east_secrets }
  module {
    source = "../../modules/policy-store"
  }

  assert {
    condition = (
      aws_rds_cluster.primary.storage_encrypted && aws_rds_cluster.replica.storage_encrypted && aws_rds_global_cluster.this.storage_encrypted
      && aws_rds_cluster.primary.kms_key_id == var.key_arn && aws_rds_cluster.replica.kms_key_id == var.replica_key_arn
    )
    error_message = "The database must be encrypted at both places, each with its own key."
  }

  assert {
    condition     = aws_rds_cluster.primary.master_password == null && aws_rds_cluster.primary.master_password_wo_version == 1
    error_message = "The password must go by the way that leaves nothing in the state."
  }

  assert {
    condition = alltrue([for group in [aws_rds_cluster_parameter_group.primary, aws_rds_cluster_parameter_group.replica] :
      anytrue([for parameter in group.parameter : parameter.name == "rds.force_ssl" && parameter.value == "1"])
    ])
    error_message = "Who does not speak TLS must be refused."
  }

  assert {
    condition     = length(aws_rds_cluster_instance.primary) == 2 && alltrue([for instance in aws_rds_cluster_instance.primary : !instance.publicly_accessible])
    error_message = "Two instances, with private addresses only."
  }
}

run "drills_that_stop_a_task_may_do_nothing_else" {
  command   = plan
  providers = { aws = aws.us_east }
  module {
    source = "../../modules/drills"
  }
  variables {
    stop_task = { kill-leader = { cluster = "place", service = "sync" } }
  }

  assert {
    condition     = toset([for statement in jsondecode(aws_iam_role_policy.this.policy).Statement : statement.Sid]) == toset(["Logs", "FindTasks", "StopTasks"])
    error_message = "The role may do more than its drills need: ${aws_iam_role_policy.this.policy}"
  }

  assert {
    condition     = toset([for condition in aws_fis_experiment_template.this["kill-leader"].stop_condition : condition.value]) == toset(var.stop_alarms)
    error_message = "An alarm must end an experiment."
  }
}

run "the_world_is_no_caller" {
  command   = plan
  providers = { aws = aws.us_east }
  module {
    source = "../../modules/balancer"
  }
  variables {
    client_cidrs = ["0.0.0.0/0"]
  }
  expect_failures = [var.client_cidrs]
}

run "one_task_is_too_few" {
  command   = plan
  providers = { aws = aws.us_east }
  module {
    source = "../../modules/service"
  }
  variables {
    tasks = { min = 1, max = 4 }
  }
  expect_failures = [var.tasks]
}

run "two_brokers_are_too_few" {
  command   = plan
  providers = { aws = aws.us_east }
  module {
    source = "../../modules/kafka"
  }
  variables {
    subnet_ids = ["subnet-1", "subnet-2"]
  }
  expect_failures = [var.subnet_ids]
}

run "an_experiment_that_nothing_ends_is_refused" {
  command   = plan
  providers = { aws = aws.us_east }
  module {
    source = "../../modules/drills"
  }
  variables {
    stop_alarms = []
  }
  expect_failures = [var.stop_alarms]
}
