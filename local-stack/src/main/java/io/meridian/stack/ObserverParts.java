package io.meridian.stack;

import io.meridian.stack.ManagedPart.PartLaunch;
import io.meridian.stack.ManagedPart.StartedPart;
import io.meridian.stack.plan.PartNames;
import io.meridian.stack.plan.PortPlan;
import io.meridian.stack.plan.StackPlan;
import io.meridian.stack.process.ChildCommand;
import io.meridian.stack.process.Executables;
import io.meridian.stack.process.Loopback;
import io.meridian.stack.process.StartFailure;
import io.meridian.stack.servers.ApplicationServer.ProgramServer;
import io.meridian.stack.servers.ProbeKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Prometheus and Grafana, where the machine has them and the plan their ports: the product's rules and dashboards on this stack. */
public record ObserverParts(StateFolder folder, StackPlan plan) {
    private static final String RETENTION = "2d";
    private static final Path OBSERVABILITY = Path.of("infra", "observability");
    /** Folder in which packages of Grafana put its pages. */
    private static final Path GRAFANA_HOME = Path.of("/usr/share/grafana");

    /** Those that this machine has. */
    public static Set<String> present() {
        Set<String> present = new LinkedHashSet<>();
        for (String each : List.of(PartNames.PROMETHEUS, PartNames.GRAFANA)) {
            if (Executables.onPath(each).isPresent()) {
                present.add(each);
            }
        }
        return present;
    }

    List<PartLaunch> all() {
        List<PartLaunch> parts = new ArrayList<>();
        if (plan.ports().has(PartNames.PROMETHEUS)) {
            parts.add(new PartLaunch(PartNames.PROMETHEUS, this::prometheus));
        }
        if (plan.ports().has(PartNames.GRAFANA)) {
            parts.add(new PartLaunch(PartNames.GRAFANA, this::grafana));
        }
        return parts;
    }

    private void prometheus(Consumer<StartedPart> forked) {
        String name = PartNames.PROMETHEUS;
        Path config = write(new ScrapeConfig(plan, rules()).yaml());
        start(
                name,
                List.of(
                        program(name),
                        "--config.file=" + config,
                        "--storage.tsdb.path=" + folder.data(name).resolve("tsdb"),
                        "--storage.tsdb.retention.time=" + RETENTION,
                        "--web.listen-address=" + Loopback.HOST + ":"
                                + plan.ports().of(name)),
                Map.of(),
                "/-/ready",
                forked);
    }

    private void grafana(Consumer<StartedPart> forked) {
        String name = PartNames.GRAFANA;
        start(
                name,
                List.of(program(name), "server", "--homepath", GRAFANA_HOME.toString()),
                grafanaSettings(),
                "/api/health",
                forked);
    }

    /** Settings of Grafana. Anonymous viewers are admitted, because it listens on the loopback address only. */
    Map<String, String> grafanaSettings() {
        PortPlan ports = plan.ports();
        Path data = folder.data(PartNames.GRAFANA);
        Path product = plan.home().resolve(OBSERVABILITY);
        String prometheus = ports.has(PartNames.PROMETHEUS) ? url(PartNames.PROMETHEUS) : "";
        return Map.of(
                "GF_SERVER_HTTP_ADDR",
                Loopback.HOST,
                "GF_SERVER_HTTP_PORT",
                Integer.toString(ports.of(PartNames.GRAFANA)),
                "GF_PATHS_DATA",
                data.toString(),
                "GF_PATHS_LOGS",
                data.resolve("logs").toString(),
                "GF_PATHS_PROVISIONING",
                product.resolve("grafana/provisioning").toString(),
                "GF_AUTH_ANONYMOUS_ENABLED",
                "true",
                "GF_AUTH_ANONYMOUS_ORG_ROLE",
                "Viewer",
                "GF_ANALYTICS_REPORTING_ENABLED",
                "false",
                "MERIDIAN_PROMETHEUS_URL",
                prometheus,
                "MERIDIAN_DASHBOARDS",
                product.resolve("dashboards").toString());
    }

    private void start(
            String name,
            List<String> command,
            Map<String, String> environment,
            String readyPath,
            Consumer<StartedPart> forked) {
        ProgramServer.start(
                ChildCommand.of(name, command, folder.log(name)).withEnvironment(environment),
                url(name) + readyPath,
                server -> forked.accept(
                        new StartedPart(name, url(name), server.process(), ProbeKind.HTTP, url(name) + readyPath)));
    }

    private String url(String name) {
        return "http://" + Loopback.HOST + ":" + plan.ports().of(name);
    }

    private Path rules() {
        return plan.home().resolve(OBSERVABILITY).resolve("rules");
    }

    private Path write(String config) {
        try {
            Path data = folder.data(PartNames.PROMETHEUS);
            Files.createDirectories(data);
            return Files.writeString(data.resolve("prometheus.yml"), config);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String program(String name) {
        return Executables.onPath(name)
                .orElseThrow(() -> new StartFailure("there is no " + name + " on the PATH"))
                .toString();
    }

    /** Scrape configuration of Prometheus for a local stack: the product's rules, and every service as infra/observability labels it. */
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
}
