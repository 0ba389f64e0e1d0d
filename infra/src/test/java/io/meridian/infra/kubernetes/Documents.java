package io.meridian.infra.kubernetes;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The YAML files of the folder, and what is in them. */
final class Documents {
    static final Path FOLDER = Path.of("kubernetes").toAbsolutePath();
    static final String KUSTOMIZATION = "kustomization.yaml";

    private static final YAMLMapper YAML = YAMLMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private Documents() {}

    /** All manifests as they are written: what kustomize makes of them is another matter. */
    static List<Path> manifests() throws IOException {
        return files().filter(file -> !file.endsWith(KUSTOMIZATION)).toList();
    }

    static List<Path> kustomizations() throws IOException {
        return files().filter(file -> file.endsWith(KUSTOMIZATION)).toList();
    }

    private static Stream<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(FOLDER)) {
            return all.filter(file -> file.toString().endsWith(".yaml")).sorted().toList().stream();
        }
    }

    static List<JsonNode> read(Path file) throws IOException {
        return parse(Files.readString(file));
    }

    static List<JsonNode> parse(String yaml) throws IOException {
        try (MappingIterator<JsonNode> documents =
                YAML.readerFor(JsonNode.class).<JsonNode>readValues(yaml)) {
            return documents.readAll();
        }
    }
}
