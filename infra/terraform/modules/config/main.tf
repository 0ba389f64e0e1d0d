# The config service: policies for all regions, their way to the limiters, history, console. Nobody but it reaches the database.
locals {
  database = "${var.database.address.host}:${var.database.address.port}/${var.database.address.database}"
  file     = "/prepared/database-authorities.pem"
}

module "service" {
  source = "../service"

  place             = var.place.name
  role              = "config"
  name              = "${var.place.name}-config"
  account_id        = var.place.account_id
  aws_region        = var.place.aws_region
  cluster           = var.place.cluster
  repository        = var.repository
  release           = var.release
  cpu               = var.size.cpu
  memory            = var.size.memory
  cpu_architecture  = var.cpu_architecture
  tasks             = { min = var.size.tasks, max = var.size.tasks }
  key_arn           = var.place.key_arn
  vpc_id            = var.place.vpc_id
  subnet_ids        = var.place.subnet_ids
  doors             = var.place.doors
  balancer          = var.place.balancer
  listener_priority = 10
  hosts             = [var.host]
  metrics_cidrs     = var.metrics_cidrs
  p99_seconds       = 2
  alarm_topic_arn   = var.place.alarm_topic_arn
  shell             = var.shell

  reaches = {
    database = { port = var.database.address.port, security_group_id = var.database.security_group_id }
    kafka    = { port = var.kafka.port, security_group_id = var.kafka.security_group_id }
  }

  environment = merge(
    var.kafka.environment,
    {
      # The database's certificate is looked at, and its name: by migrations over JDBC, by all else over the reactive client.
      QUARKUS_DATASOURCE_JDBC_URL                                 = "jdbc:postgresql://${local.database}?sslmode=verify-full&sslrootcert=${local.file}"
      QUARKUS_DATASOURCE_REACTIVE_URL                             = "postgresql://${local.database}"
      QUARKUS_DATASOURCE_REACTIVE_POSTGRESQL_SSL_MODE             = "verify-full"
      QUARKUS_DATASOURCE_REACTIVE_HOSTNAME_VERIFICATION_ALGORITHM = "HTTPS"
      QUARKUS_DATASOURCE_REACTIVE_TRUST_CERTIFICATE_PEM           = "true"
      QUARKUS_DATASOURCE_REACTIVE_TRUST_CERTIFICATE_PEM_CERTS     = local.file
      MERIDIAN_CONFIG_ACCESS_ADMIN_TOKEN_FILE                     = "/prepared/admin-token"
    },
    var.oidc == null ? {} : {
      MERIDIAN_CONFIG_ACCESS_OIDC_ISSUER   = var.oidc.issuer
      MERIDIAN_CONFIG_ACCESS_OIDC_JWKS_URL = var.oidc.jwks_url
      MERIDIAN_CONFIG_ACCESS_OIDC_AUDIENCE = var.oidc.audience
    },
  )

  secrets = {
    QUARKUS_DATASOURCE_USERNAME = { arn = var.database.secret_arn, field = "username" }
    QUARKUS_DATASOURCE_PASSWORD = { arn = var.database.secret_arn, field = "password" }
    MERIDIAN_KAFKA_USER         = { arn = var.kafka.secret_arn, field = "username" }
    MERIDIAN_KAFKA_PASSWORD     = { arn = var.kafka.secret_arn, field = "password" }
  }

  # All replicas read the same first token. With the prefix of our tokens it is kept out of logs like the others.
  files = {
    "database-authorities.pem" = { text = var.database.authorities_pem }
    admin-token                = { secret = { arn = module.admin_token.arn, field = "password" }, prefix = "mrd_" }
  }
}

module "admin_token" {
  source      = "../secret"
  name        = "${var.place.name}/admin-token"
  description = "The first admin's token, after mrd_; to be revoked once there are others"
  username    = "bootstrap"
  key_arn     = var.place.key_arn
}
