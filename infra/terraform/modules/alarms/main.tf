# Alarms of one part, written as data. All go to one topic, when they begin and when they end.
locals {
  operators = {
    ">"  = "GreaterThanThreshold"
    ">=" = "GreaterThanOrEqualToThreshold"
    "<"  = "LessThanThreshold"
  }
}

resource "aws_cloudwatch_metric_alarm" "of_metric" {
  for_each = { for name, alarm in var.alarms : name => alarm if alarm.percent_of == null }

  alarm_name          = "${var.name}-${each.key}"
  alarm_description   = each.value.description
  namespace           = each.value.namespace
  metric_name         = each.value.metric
  dimensions          = each.value.dimensions
  statistic           = startswith(each.value.statistic, "p") ? null : each.value.statistic
  extended_statistic  = startswith(each.value.statistic, "p") ? each.value.statistic : null
  comparison_operator = local.operators[each.value.when]
  threshold           = each.value.threshold
  period              = each.value.period
  evaluation_periods  = each.value.periods
  treat_missing_data  = each.value.missing
  alarm_actions       = [var.topic_arn]
  ok_actions          = [var.topic_arn]
}

resource "aws_cloudwatch_metric_alarm" "of_share" {
  for_each = { for name, alarm in var.alarms : name => alarm if alarm.percent_of != null }

  alarm_name          = "${var.name}-${each.key}"
  alarm_description   = each.value.description
  comparison_operator = local.operators[each.value.when]
  threshold           = each.value.threshold
  evaluation_periods  = each.value.periods
  treat_missing_data  = each.value.missing
  alarm_actions       = [var.topic_arn]
  ok_actions          = [var.topic_arn]

  metric_query {
    id          = "share"
    label       = "${each.value.metric}, percent of ${each.value.percent_of}"
    expression  = "100 * FILL(part, 0) / whole"
    return_data = true
  }

  dynamic "metric_query" {
    for_each = { part = each.value.metric, whole = each.value.percent_of }
    content {
      id = metric_query.key
      metric {
        namespace   = each.value.namespace
        metric_name = metric_query.value
        dimensions  = each.value.dimensions
        period      = each.value.period
        stat        = "Sum"
      }
    }
  }
}
