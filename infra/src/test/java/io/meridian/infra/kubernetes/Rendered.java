package io.meridian.infra.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What would be applied: all manifests of an overlay, or of a base. */
record Rendered(List<JsonNode> manifests) {
    private static final Set<String> WORKLOADS = Set.of("Deployment", "StatefulSet");

    List<JsonNode> of(String kind) {
        return manifests.stream()
                .filter(manifest -> manifest.path("kind").asText().equals(kind))
                .toList();
    }

    Set<String> names(String kind) {
        return of(kind).stream()
                .map(manifest -> manifest.at("/metadata/name").asText())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    List<JsonNode> workloads() {
        return manifests.stream()
                .filter(manifest -> WORKLOADS.contains(manifest.path("kind").asText()))
                .toList();
    }

    /** Those whose pods have all these labels. */
    List<JsonNode> selected(JsonNode labels) {
        return workloads().stream()
                .filter(workload -> texts(workload.at("/spec/template/metadata/labels"))
                        .entrySet()
                        .containsAll(texts(labels).entrySet()))
                .toList();
    }

    static JsonNode pod(JsonNode workload) {
        return workload.at("/spec/template/spec");
    }

    static List<JsonNode> containers(JsonNode workload) {
        return list(pod(workload).path("containers"));
    }

    /** The names of the ports of a workload's containers. */
    static Set<String> ports(JsonNode workload) {
        return containers(workload).stream()
                .flatMap(container -> list(container.path("ports")).stream())
                .map(port -> port.path("name").asText())
                .collect(Collectors.toSet());
    }

    /** What a container is told through its environment: from config maps and one by one, without values of secrets. */
    Map<String, String> environment(JsonNode container) {
        Map<String, String> environment = new LinkedHashMap<>();
        for (JsonNode from : list(container.path("envFrom"))) {
            String name = from.at("/configMapRef/name").asText();
            of("ConfigMap").stream()
                    .filter(map -> map.at("/metadata/name").asText().equals(name))
                    .forEach(map -> environment.putAll(texts(map.path("data"))));
        }
        for (JsonNode variable : list(container.path("env"))) {
            environment.put(
                    variable.path("name").asText(), variable.path("value").asText());
        }
        return environment;
    }

    /** Secrets that a workload's pods refer to, as {@code name/key}. */
    static Set<String> secrets(JsonNode workload) {
        Stream<String> variables = containers(workload).stream()
                .flatMap(container -> list(container.path("env")).stream())
                .map(variable -> variable.at("/valueFrom/secretKeyRef"))
                .filter(reference -> !reference.isMissingNode())
                .map(reference -> reference.path("name").asText() + "/"
                        + reference.path("key").asText());
        Stream<String> volumes = list(pod(workload).path("volumes")).stream()
                .map(volume -> volume.at("/secret/secretName").asText())
                .filter(name -> !name.isEmpty())
                .map(name -> name + "/");
        return Stream.concat(variables, volumes).collect(Collectors.toCollection(TreeSet::new));
    }

    static List<JsonNode> list(JsonNode array) {
        List<JsonNode> elements = new ArrayList<>();
        array.forEach(elements::add);
        return elements;
    }

    static Map<String, String> texts(JsonNode object) {
        Map<String, String> texts = new LinkedHashMap<>();
        object.properties()
                .forEach(field -> texts.put(field.getKey(), field.getValue().asText()));
        return texts;
    }
}
