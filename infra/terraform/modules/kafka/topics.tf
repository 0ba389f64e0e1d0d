# The topics and who may do what with them. AWS has no interface for either, so they are data here, and an output has the commands
# that make them. They are those of local-stack's Topics, with three replicas. Times are in milliseconds.
locals {
  hour   = 60 * 60 * 1000
  minute = 60 * 1000

  sharded = {
    "cleanup.policy"            = "compact,delete"
    "retention.ms"              = 32 * 24 * local.hour
    "segment.ms"                = local.hour
    "min.cleanable.dirty.ratio" = 0.3
    "min.compaction.lag.ms"     = local.hour
    "max.compaction.lag.ms"     = 6 * local.hour
  }

  topics = {
    policies   = { partitions = 1, settings = { "cleanup.policy" = "compact" } }
    violations = { partitions = 4, settings = {} }
    # The same number for both: what is said of a partition of usage is in the same partition of verdicts.
    usage     = { partitions = 16, settings = merge(local.sharded, { "message.timestamp.type" = "LogAppendTime" }) }
    verdicts  = { partitions = 16, settings = merge(local.sharded, { "message.timestamp.type" = "CreateTime" }) }
    reports   = { partitions = 1, settings = { "retention.ms" = local.hour, "segment.ms" = local.hour / 2 } }
    questions = { partitions = 1, settings = { "retention.ms" = 10 * local.minute, "segment.ms" = 5 * local.minute } }
    answers   = { partitions = 1, settings = { "retention.ms" = 10 * local.minute, "segment.ms" = 5 * local.minute } }
    # Kept for as long as the config service may be away, for the audit trail is not to miss what limiters did.
    operations = { partitions = 1, settings = { "retention.ms" = 30 * 24 * local.hour, "segment.ms" = 15 * 24 * local.hour } }
  }

  limiter = {
    reads  = ["policies", "verdicts", "questions"]
    writes = ["usage", "violations", "reports", "answers", "operations"]
    groups = []
    ids    = []
  }

  access = merge(
    { for region in keys(var.limiter_cidrs) : "limiter-${region}" => local.limiter },
    {
      sync   = { reads = ["usage", "verdicts"], writes = ["verdicts"], groups = ["meridian-sync"], ids = ["meridian-sync-"] }
      config = { reads = ["usage", "violations", "policies", "reports", "answers", "operations"], writes = ["policies", "questions"], groups = [], ids = ["meridian-config-outbox"] }
    },
  )

  connection = "--bootstrap-server \"$BOOTSTRAP\" --command-config admin.properties"
  allow      = "kafka-acls.sh ${local.connection} --add --allow-principal"

  topic_commands = [
    for name, topic in local.topics : join(" ", concat(
      ["kafka-topics.sh ${local.connection} --create --if-not-exists --topic ${name} --partitions ${topic.partitions} --replication-factor 3"],
      [for key, value in topic.settings : "--config ${key}=${value}"],
    ))
  ]

  # The admin first: from then on, and from acls_defined on for all, who is not named may not.
  acl_commands = concat(
    ["${local.allow} User:admin --operation All --cluster --topic '*' --group '*' --transactional-id '*'"],
    flatten([
      for user, may in local.access : concat(
        ["${local.allow} User:${user} --operation Read --operation Describe ${join(" ", [for topic in may.reads : "--topic ${topic}"])}"],
        ["${local.allow} User:${user} --operation Write --operation Describe ${join(" ", [for topic in may.writes : "--topic ${topic}"])}"],
        [for group in may.groups : "${local.allow} User:${user} --operation Read --operation Describe --group ${group}"],
        [for id in may.ids : "${local.allow} User:${user} --operation Write --operation Describe --transactional-id ${id} --resource-pattern-type prefixed"],
      )
    ]),
  )
}
