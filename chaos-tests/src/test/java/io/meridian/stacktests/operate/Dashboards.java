package io.meridian.stacktests.operate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.meridian.stacktests.stack.MeridianCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The queries of the product's dashboards, as Grafana would send them. */
final class Dashboards {
    private static final Path FOLDER = MeridianCommand.HOME.resolve("infra/observability/dashboards");
    private static final ObjectMapper JSON = new ObjectMapper();

    private Dashboards() {}

    /** One query of a panel. */
    record Query(String dashboard, String panel, String expression) {
        @Override
        public String toString() {
            return dashboard + ", " + panel + ": " + expression;
        }
    }

    /** All of them, with these values for their variables. */
    static List<Query> queries(Map<String, String> variables) throws IOException {
        List<Query> queries = new ArrayList<>();
        try (Stream<Path> files = Files.list(FOLDER)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".json"))
                    .sorted()
                    .toList()) {
                JsonNode dashboard = JSON.readTree(file.toFile());
                collect(dashboard.path("title").asText(), dashboard.path("panels"), variables, queries);
            }
        }
        return queries;
    }

    private static void collect(String title, JsonNode panels, Map<String, String> variables, List<Query> queries) {
        for (JsonNode panel : panels) {
            for (JsonNode target : panel.path("targets")) {
                queries.add(new Query(
                        title,
                        panel.path("title").asText(),
                        filled(target.path("expr").asText(), variables)));
            }
            collect(title, panel.path("panels"), variables, queries);
        }
    }

    private static String filled(String expression, Map<String, String> variables) {
        String filled = expression;
        for (Map.Entry<String, String> each : variables.entrySet()) {
            filled = filled.replace("${" + each.getKey() + "}", each.getValue())
                    .replaceAll("\\$" + each.getKey() + "\\b", each.getValue());
        }
        return filled;
    }
}
