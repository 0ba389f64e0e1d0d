package io.meridian.drill.definition;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reader of drill files, in YAML or JSON, and of the built-in drills. An invalid file is refused with all its errors at once. */
public final class DrillFile {
    public static final List<String> BUILT_IN = List.of(
            "cut-one-region",
            "cut-two-regions",
            "split-brain",
            "one-way-cut",
            "slow-link-300ms",
            "flapping-link",
            "kill-leader",
            "freeze-leader",
            "kill-limiter",
            "kill-redis",
            "wipe-redis",
            "freeze-redis",
            "kafka-outage",
            "postgres-outage",
            "rolling-restart",
            "cold-regions",
            "first-burst");

    private static final String ALL = "all";
    private static final int BYTES_MAX = 1 << 20;

    private DrillFile() {}

    /** The drill of that name or file; every built-in one for {@value #ALL}. */
    public static List<Drill> findAll(String nameOrFile) throws IOException {
        if (!nameOrFile.equals(ALL)) {
            return List.of(find(nameOrFile));
        }
        List<Drill> all = new ArrayList<>();
        for (String each : BUILT_IN) {
            all.add(builtIn(each));
        }
        return all;
    }

    /** The built-in drill of that name, else the drill in that file. */
    public static Drill find(String nameOrFile) throws IOException {
        Path file = Path.of(nameOrFile);
        return !BUILT_IN.contains(nameOrFile) && Files.isRegularFile(file) ? read(file) : builtIn(nameOrFile);
    }

    public static Drill builtIn(String name) throws IOException {
        String file = "/drills/" + name + ".yaml";
        try (InputStream in = DrillFile.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalArgumentException("drill must be a file or one of " + BUILT_IN + ", got " + name);
            }
            return read(file, name, in.readAllBytes(), Map.of());
        }
    }

    public static Drill read(Path file) throws IOException {
        if (Files.size(file) > BYTES_MAX) {
            throw new InvalidDrillException(
                    file.toString(), List.of("must be at most " + BYTES_MAX + " bytes, got " + Files.size(file)));
        }
        String name = file.getFileName().toString().replaceFirst("\\.(ya?ml|json)$", "");
        return read(file.toString(), name, Files.readAllBytes(file), System.getenv());
    }

    /** Reads the drill that is stored in a journal. */
    public static Drill read(String journal, String name, JsonNode experiment) throws IOException {
        return read(journal, name, experiment.toString().getBytes(StandardCharsets.UTF_8), System.getenv());
    }

    static Drill read(String file, String name, byte[] bytes, Map<String, String> environment) throws IOException {
        JsonNode node = parsed(file, bytes);
        List<String> errors = YamlSchema.DRILL.errors(node);
        if (!errors.isEmpty()) {
            throw new InvalidDrillException(file, errors);
        }
        return new DrillParser(node, new Substitution(node.path("configuration"), environment)).read(name);
    }

    private static JsonNode parsed(String file, byte[] bytes) throws IOException {
        try {
            return YamlSchema.parse(bytes);
        } catch (JsonProcessingException e) {
            var at = e.getLocation();
            throw new InvalidDrillException(
                    file,
                    List.of((at == null ? "" : "line " + at.getLineNr() + ": ")
                            + String.valueOf(e.getOriginalMessage())
                                    .lines()
                                    .findFirst()
                                    .orElse("invalid YAML")));
        }
    }

    /** Refusal of a drill file, with all its errors. */
    public static final class InvalidDrillException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient List<String> errors;

        public InvalidDrillException(String file, List<String> errors) {
            super(file + " is not a valid drill:\n  " + String.join("\n  ", errors));
            this.errors = List.copyOf(errors);
        }

        /** Each with its path in the file and the value there. */
        public List<String> errors() {
            return errors;
        }
    }
}
