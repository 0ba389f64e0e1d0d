# What one task runs: containers that prepare what must lie in files and then end, and the service.
locals {
  port   = 8443
  folder = "/prepared"

  # Encrypted to the last hop: the balancer speaks TLS to the task too. It does not look who signed, so each task makes itself a key
  # that never leaves it. The password protects nothing more than the task's own disk does; PKCS12 merely wants one.
  keystore          = "${local.folder}/server.p12"
  keystore_password = "task-local"

  # The image has no shell, so what comes from secrets is written by another one.
  written   = length(var.files) > 0
  variables = { for file in keys(var.files) : file => "FILE_${upper(replace(file, "/[^A-Za-z0-9]/", "_"))}" }
  writing   = [for file, content in var.files : "printf '%s%s' '${content.prefix}' \"$${${local.variables[file]}}\" > ${local.folder}/${file}"]

  environment = merge(
    {
      QUARKUS_HTTP_HOST                  = "0.0.0.0"
      QUARKUS_HTTP_SSL_PORT              = tostring(local.port)
      QUARKUS_HTTP_INSECURE_REQUESTS     = "disabled"
      QUARKUS_TLS_KEY_STORE_P12_PATH     = local.keystore
      QUARKUS_TLS_KEY_STORE_P12_PASSWORD = local.keystore_password
      QUARKUS_TLS_PROTOCOLS              = "TLSv1.3,TLSv1.2"
    },
    var.environment,
  )

  log_configuration = {
    logDriver = "awslogs"
    options = {
      awslogs-group         = aws_cloudwatch_log_group.this.name
      awslogs-region        = var.aws_region
      awslogs-stream-prefix = "task"
      # A service that cannot log goes on serving.
      mode            = "non-blocking"
      max-buffer-size = "8m"
    }
  }

  # The volume is root's; what lies there can be read by the service's own user.
  make_key = {
    name       = "make-key"
    image      = "${var.repository.url}:${var.release}"
    essential  = false
    user       = "0"
    entryPoint = ["/opt/java/bin/keytool"]
    command = [
      "-genkeypair", "-alias", "server", "-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=${var.name}", "-validity", "3650",
      "-storetype", "PKCS12", "-keystore", local.keystore, "-storepass", local.keystore_password,
    ]
    mountPoints      = [{ sourceVolume = "prepared", containerPath = local.folder, readOnly = false }]
    logConfiguration = local.log_configuration
  }

  write_files = {
    name       = "write-files"
    image      = local.written ? var.shell.image : "none"
    essential  = false
    user       = "0"
    entryPoint = ["sh", "-euc"]
    command    = [join("\n", local.writing)]
    environment = [
      for file, content in var.files : { name = local.variables[file], value = content.text } if content.text != null
    ]
    secrets = [
      for file, content in var.files : { name = local.variables[file], valueFrom = "${content.secret.arn}:${content.secret.field}::" } if content.secret != null
    ]
    mountPoints      = [{ sourceVolume = "prepared", containerPath = local.folder, readOnly = false }]
    logConfiguration = local.log_configuration
  }

  preparing = concat(["make-key"], local.written ? ["write-files"] : [])

  service = {
    name         = var.role
    image        = "${var.repository.url}:${var.release}"
    essential    = true
    portMappings = [{ containerPort = local.port, protocol = "tcp" }]
    environment  = [for name, value in local.environment : { name = name, value = value }]
    secrets      = [for name, secret in var.secrets : { name = name, valueFrom = "${secret.arn}:${secret.field}::" }]
    dependsOn    = [for container in local.preparing : { containerName = container, condition = "SUCCESS" }]
    mountPoints  = [{ sourceVolume = "prepared", containerPath = local.folder, readOnly = true }]
    stopTimeout  = 30
    # A crash is followed by a start in the same place, which is faster than a new task. Its own user can write to /tmp only.
    restartPolicy    = { enabled = true, restartAttemptPeriod = 60 }
    linuxParameters  = { initProcessEnabled = true }
    ulimits          = [{ name = "nofile", softLimit = 65536, hardLimit = 65536 }]
    logConfiguration = local.log_configuration
  }

  drill_agent = {
    name             = "drill-agent"
    image            = local.with_drill_agent ? var.drill_agent.image : "none"
    essential        = false
    environment      = [{ name = "MANAGED_INSTANCE_ROLE_NAME", value = one(aws_iam_role.drill_agent[*].name) }]
    logConfiguration = local.log_configuration
  }

  with_drill_agent = var.drill_agent != null
}

resource "aws_ecs_task_definition" "this" {
  family                   = var.name
  requires_compatibilities = ["FARGATE"]
  network_mode             = "awsvpc"
  cpu                      = var.cpu
  memory                   = var.memory
  execution_role_arn       = aws_iam_role.execution.arn
  task_role_arn            = aws_iam_role.task.arn

  # Faults of a task's network need both; without an agent they stay off.
  enable_fault_injection = local.with_drill_agent
  pid_mode               = local.with_drill_agent ? "task" : null

  runtime_platform {
    operating_system_family = "LINUX"
    cpu_architecture        = var.cpu_architecture
  }

  volume {
    name = "prepared"
  }

  container_definitions = jsonencode(concat(
    [local.make_key, local.service],
    [for container in [local.write_files] : container if local.written],
    [for container in [local.drill_agent] : container if local.with_drill_agent],
  ))
}

resource "aws_cloudwatch_log_group" "this" {
  name              = "/${var.place}/${var.role}"
  retention_in_days = 30
  kms_key_id        = var.key_arn
}
