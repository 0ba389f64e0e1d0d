locals {
  brokers = { for number in range(1, length(var.subnet_ids) + 1) : tostring(number) => { "Cluster Name" = var.name, "Broker ID" = tostring(number) } }

  broker_alarms = {
    under-replicated = { metric = "UnderReplicatedPartitions", threshold = 0, periods = 5, description = "Partitions of a broker lack a replica" }
    under-min-isr    = { metric = "UnderMinIsrPartitionCount", threshold = 0, periods = 1, description = "Partitions of a broker refuse writes: too few replicas have what is written" }
    disk             = { metric = "KafkaDataLogsDiskUsed", threshold = 70, periods = 5, description = "A broker's disk is filling up, in percent" }
    cpu              = { metric = "CpuUser", threshold = 50, periods = 5, description = "A broker is short of CPU: another one's load must find room" }
  }
}

module "alarms" {
  source    = "../alarms"
  name      = "${var.name}-kafka"
  topic_arn = var.alarm_topic_arn

  alarms = merge(
    {
      offline-partitions = {
        description = "Partitions without a leader: nobody reads or writes them"
        namespace   = "AWS/Kafka"
        metric      = "OfflinePartitionsCount"
        dimensions  = { "Cluster Name" = var.name }
        threshold   = 0
        periods     = 1
        missing     = "breaching"
      }
      no-controller = {
        description = "No broker is the controller"
        namespace   = "AWS/Kafka"
        metric      = "ActiveControllerCount"
        dimensions  = { "Cluster Name" = var.name }
        when        = "<"
        threshold   = 1
        missing     = "breaching"
      }
    },
    merge([
      for number, dimensions in local.brokers : {
        for name, alarm in local.broker_alarms : "${name}-${number}" => merge(alarm, { namespace = "AWS/Kafka", dimensions = dimensions })
      }
    ]...),
  )
}
