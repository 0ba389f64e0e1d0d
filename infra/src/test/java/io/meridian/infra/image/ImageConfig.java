package io.meridian.infra.image;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What an image says of how it is to be run.
 *
 * @param user by number, {@code 10001:10001}
 * @param ports {@code 8101/tcp}
 */
record ImageConfig(
        String created,
        String user,
        List<String> entrypoint,
        Map<String, String> environment,
        List<String> ports,
        Map<String, String> labels,
        String workingDirectory) {
    static ImageConfig of(JsonNode image) {
        JsonNode config = image.path("config");
        Map<String, String> environment = new LinkedHashMap<>();
        for (String variable : texts(config.path("Env"))) {
            String[] parts = variable.split("=", 2);
            environment.put(parts[0], parts[1]);
        }
        Map<String, String> labels = new LinkedHashMap<>();
        config.path("Labels")
                .properties()
                .forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
        List<String> ports = new ArrayList<>();
        config.path("ExposedPorts").fieldNames().forEachRemaining(ports::add);
        return new ImageConfig(
                image.path("created").asText(),
                config.path("User").asText(),
                texts(config.path("Entrypoint")),
                environment,
                ports,
                labels,
                config.path("WorkingDir").asText());
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(text -> texts.add(text.asText()));
        return texts;
    }
}
