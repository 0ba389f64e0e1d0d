package io.meridian.drill.history;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** File format of a history: lines of JSON, a header and then one event a line. */
public final class HistoryFile {
    /** Mapper of all files of a report: snake_case; unknown fields are ignored. */
    public static final ObjectMapper JSON = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
            .build();

    private static final String KIND = "event";
    /** Event types by the simple names of their classes. */
    private static final Map<String, Class<? extends Event>> KINDS = Stream.of(
                    Event.Checked.class,
                    Event.PhaseBegan.class,
                    Event.FaultBegan.class,
                    Event.FaultEnded.class,
                    Event.NetworkSplit.class,
                    Event.LeaderObserved.class,
                    Event.LoopSampled.class,
                    Event.UsageReported.class,
                    Event.Recovered.class,
                    Event.ActivityEnded.class)
            .collect(Collectors.toMap(Class::getSimpleName, kind -> kind));

    private HistoryFile() {}

    public static void write(Path file, DrillHistory history) throws IOException {
        try (BufferedWriter writer = Files.newBufferedWriter(file)) {
            writer.write(JSON.writeValueAsString(Header.of(history)));
            writer.newLine();
            for (Event event : history.events()) {
                ObjectNode line = JSON.createObjectNode();
                line.put(KIND, event.getClass().getSimpleName());
                line.setAll(JSON.<ObjectNode>valueToTree(event));
                writer.write(JSON.writeValueAsString(line));
                writer.newLine();
            }
        }
    }

    /** Refuses a line that is no event, by its number. */
    public static DrillHistory read(Path file) throws IOException {
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            String first = firstLine(file, reader);
            Header header = header(file, first);
            List<Event> events = new ArrayList<>();
            int number = 1;
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                events.add(event(file, ++number, line));
            }
            return header.with(events);
        }
    }

    /** Refuses a file of another version. */
    public static void requireReadable(Path file) throws IOException {
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            Header unused = header(file, firstLine(file, reader));
        }
    }

    private static String firstLine(Path file, BufferedReader reader) throws IOException {
        String first = reader.readLine();
        if (first == null) {
            throw new UnreadableHistoryException(file + " is empty, but must begin with a header");
        }
        return first;
    }

    /** Checks the version first, because the header of another version may have other fields. */
    private static Header header(Path file, String line) throws IOException {
        try {
            JsonNode tree = JSON.readTree(line);
            int version = tree.path("version").asInt();
            if (version != Header.VERSION) {
                throw UnreadableHistoryException.ofVersion(file, version, Header.VERSION);
            }
            return JSON.treeToValue(tree, Header.class);
        } catch (JsonProcessingException e) {
            throw new UnreadableHistoryException(file + ", line 1: invalid header: " + e.getOriginalMessage());
        }
    }

    private static Event event(Path file, int number, String line) throws IOException {
        try {
            return event(file, number, JSON.readTree(line));
        } catch (JsonProcessingException e) {
            throw new UnreadableHistoryException(
                    "%s, line %d: %s".formatted(file.getFileName(), number, e.getOriginalMessage()));
        }
    }

    private static Event event(Path file, int number, JsonNode tree) throws IOException {
        String name = tree.path(KIND).asText();
        Class<? extends Event> kind = KINDS.get(name);
        if (kind == null) {
            throw new UnreadableHistoryException("%s, line %d: event must be one of %s, got \"%s\""
                    .formatted(file.getFileName(), number, KINDS.keySet(), name));
        }
        return JSON.treeToValue(tree, kind);
    }

    /**
     * Header: a history without its events.
     *
     * @param version of the file format
     */
    private record Header(
            int version,
            String drill,
            String title,
            String startedAt,
            List<String> regions,
            List<SubjectLine> subjects) {
        /** 3: events have other names than in 2. 2: faults have a type; 1 had descriptions alone. */
        static final int VERSION = 3;

        /** Subject in JSON types. */
        record SubjectLine(String policy, String key, Subject.Sharing sharing, long limit, String window) {}

        static Header of(DrillHistory history) {
            return new Header(
                    VERSION,
                    history.drill(),
                    history.title(),
                    history.startedAt().toString(),
                    history.regions(),
                    history.subjects().stream().map(Header::line).toList());
        }

        DrillHistory with(List<Event> events) {
            List<Subject> all = subjects.stream()
                    .map(line -> new Subject(
                            line.policy(), line.key(), line.sharing(), line.limit(), Duration.parse(line.window())))
                    .toList();
            return new DrillHistory(drill, title, Instant.parse(startedAt), regions, all, events);
        }

        private static SubjectLine line(Subject subject) {
            return new SubjectLine(
                    subject.policy(),
                    subject.key(),
                    subject.sharing(),
                    subject.limit(),
                    subject.window().toString());
        }
    }

    /** Refusal of a history file that this build cannot judge; the message states the reason and the remedy. */
    public static final class UnreadableHistoryException extends IOException {
        private static final long serialVersionUID = 1L;

        UnreadableHistoryException(String message) {
            super(message);
        }

        static UnreadableHistoryException ofVersion(Path file, int version, int wanted) {
            return new UnreadableHistoryException(
                    "%s has version %d of the history format, and this build reads version %d. Run the drill again to get a report of version %d."
                            .formatted(file, version, wanted, wanted));
        }
    }
}
