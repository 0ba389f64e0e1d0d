# The sync replicas: they add the regions up, a leader for each partition. Their number is fixed, for each that comes or goes moves
# leaders about. They are behind the balancer for its sake only: it asks whether they are ready, and a deployment replaces one after
# the other by its word; and operators ask any of them who leads.
module "service" {
  source = "../service"

  place             = var.place.name
  role              = "sync"
  name              = "${var.place.name}-sync"
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
  listener_priority = 20
  hosts             = [var.host]
  metrics_cidrs     = var.metrics_cidrs
  p99_seconds       = 1
  alarm_topic_arn   = var.place.alarm_topic_arn

  reaches = {
    kafka = { port = var.kafka.port, security_group_id = var.kafka.security_group_id }
  }

  environment = merge(var.kafka.environment, {
    # No two may share a name, and tasks have none but their host's.
    MERIDIAN_SYNC_REPLICA = "sync-$${HOSTNAME}"
  })

  secrets = {
    MERIDIAN_KEYS_SECRET    = { arn = var.key_secret_arn, field = "password" }
    MERIDIAN_KAFKA_USER     = { arn = var.kafka.secret_arn, field = "username" }
    MERIDIAN_KAFKA_PASSWORD = { arn = var.kafka.secret_arn, field = "password" }
  }
}
