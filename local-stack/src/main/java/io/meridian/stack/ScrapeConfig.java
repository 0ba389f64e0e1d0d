package io.meridian.stack;

import io.meridian.stack.process.Loopback;
import io.meridian.stack.plan.PartNames;
import io.meridian.stack.plan.StackPlan;
import java.nio.file.Path;
import java.util.List;

/** What Prometheus is told of a local stack: the product's rules, and every service as infra/observability labels it. */
record ScrapeConfig(StackPlan plan, Path rules) {
    /** Rates over half a minute have something to go by soon after a start. */
    private static final String INTERVAL = "2s";

    String yaml() {
        StringBuilder yaml = new StringBuilder();
        yaml.append("global: {scrape_interval: ")
                .append(INTERVAL)
                .append(", evaluation_interval: ")
                .append(INTERVAL)
                .append("}\n");
        yaml.append("rule_files: [").append(quoted(rules + "/*.yml")).append("]\n");
        yaml.append("scrape_configs:\n");
        job(yaml, "limiter");
        for (String region : plan.regions()) {
            for (int number = 1; number <= plan.limitersPerRegion(); number++) {
                target(yaml, PartNames.limiter(region, number), ", region: " + quoted(region));
            }
        }
        job(yaml, "sync");
        PartNames.SYNC_REPLICAS.forEach(replica -> target(yaml, replica, ""));
        job(yaml, "config");
        List.of(PartNames.CONFIG_SERVICE).forEach(name -> target(yaml, name, ""));
        return yaml.toString();
    }

    private static void job(StringBuilder yaml, String name) {
        yaml.append("  - job_name: ").append(name).append("\n    metrics_path: /q/metrics\n    static_configs:\n");
    }

    private void target(StringBuilder yaml, String part, String labels) {
        String address = Loopback.HOST + ":" + plan.ports().of(part);
        yaml.append("      - {targets: [")
                .append(quoted(address))
                .append("], labels: {instance: ")
                .append(quoted(part))
                .append(labels)
                .append("}}\n");
    }

    /** YAML within double quotes. */
    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
