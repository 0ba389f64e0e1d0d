package io.meridian.chaos.drill.file;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Reads drills from YAML or JSON, and refuses what is none with every error at once. */
public final class DrillFile {
    private static final int BYTES_MAX = 1 << 20;

    private DrillFile() {}

    public static Drill read(Path file) throws IOException {
        if (Files.size(file) > BYTES_MAX) {
            throw new BadDrillFile(
                    file.toString(), List.of("must be at most " + BYTES_MAX + " bytes, got " + Files.size(file)));
        }
        String name = file.getFileName().toString().replaceFirst("\\.(ya?ml|json)$", "");
        return read(file.toString(), name, Files.readAllBytes(file), System.getenv());
    }

    /** A drill as a journal kept it. */
    public static Drill read(String journal, String name, JsonNode experiment) throws IOException {
        return read(journal, name, experiment.toString().getBytes(StandardCharsets.UTF_8), System.getenv());
    }

    static Drill read(String file, String name, byte[] bytes, Map<String, String> environment) throws IOException {
        JsonNode node = parsed(file, bytes);
        List<String> errors = FileSchema.DRILL.errors(node);
        if (!errors.isEmpty()) {
            throw new BadDrillFile(file, errors);
        }
        return new DrillReader(node, new Substitution(node.path("configuration"), environment)).read(name);
    }

    private static JsonNode parsed(String file, byte[] bytes) throws IOException {
        try {
            return BoundedYaml.read(bytes);
        } catch (JsonProcessingException e) {
            var at = e.getLocation();
            throw new BadDrillFile(
                    file,
                    List.of((at == null ? "" : "line " + at.getLineNr() + ": ")
                            + String.valueOf(e.getOriginalMessage())
                                    .lines()
                                    .findFirst()
                                    .orElse("no YAML")));
        }
    }
}
