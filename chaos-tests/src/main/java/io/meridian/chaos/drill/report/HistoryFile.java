package io.meridian.chaos.drill.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.chaos.drill.history.Event;
import io.meridian.chaos.drill.history.History;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A history as lines of JSON: a header, then one event a line, so that it may be cut, counted and searched by line. */
public final class HistoryFile {
    private static final String KIND = "event";
    /** An event's kind is the simple name of its class. */
    private static final Map<String, Class<? extends Event>> KINDS = Stream.of(
                    Event.Checked.class,
                    Event.PhaseBegan.class,
                    Event.FaultBegan.class,
                    Event.FaultEnded.class,
                    Event.WorldSplit.class,
                    Event.LeaderSeen.class,
                    Event.LoopSeen.class,
                    Event.UsageTold.class,
                    Event.Recovered.class,
                    Event.ActivityDone.class)
            .collect(Collectors.toMap(Class::getSimpleName, kind -> kind));

    private HistoryFile() {}

    static void write(Path file, History history) throws IOException {
        try (BufferedWriter writer = Files.newBufferedWriter(file)) {
            writer.write(Json.LINES.writeValueAsString(HistoryHeader.of(history)));
            writer.newLine();
            for (Event event : history.events()) {
                ObjectNode line = Json.LINES.createObjectNode();
                line.put(KIND, event.getClass().getSimpleName());
                line.setAll(Json.LINES.<ObjectNode>valueToTree(event));
                writer.write(Json.LINES.writeValueAsString(line));
                writer.newLine();
            }
        }
    }

    /** A line that is no event is refused by its number. */
    public static History read(Path file) throws IOException {
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            String first = firstLine(file, reader);
            HistoryHeader header = header(file, first);
            List<Event> events = new ArrayList<>();
            int number = 1;
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                events.add(event(file, ++number, line));
            }
            return header.with(events);
        }
    }

    /** Refuses a file of another version, by its header alone. */
    static void requireReadable(Path file) throws IOException {
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            HistoryHeader unused = header(file, firstLine(file, reader));
        }
    }

    private static String firstLine(Path file, BufferedReader reader) throws IOException {
        String first = reader.readLine();
        if (first == null) {
            throw new UnreadableHistory(file + " is empty, it must begin with a header");
        }
        return first;
    }

    /** The version first: a header of another one may have other fields. */
    private static HistoryHeader header(Path file, String line) throws IOException {
        try {
            JsonNode tree = Json.LINES.readTree(line);
            int version = tree.path("version").asInt();
            if (version != HistoryHeader.VERSION) {
                throw UnreadableHistory.ofVersion(file, version, HistoryHeader.VERSION);
            }
            return Json.LINES.treeToValue(tree, HistoryHeader.class);
        } catch (JsonProcessingException e) {
            throw new UnreadableHistory(file + ", line 1: is no header: " + e.getOriginalMessage());
        }
    }

    private static Event event(Path file, int number, String line) throws IOException {
        try {
            return event(file, number, Json.LINES.readTree(line));
        } catch (JsonProcessingException e) {
            throw new UnreadableHistory(
                    "%s, line %d: %s".formatted(file.getFileName(), number, e.getOriginalMessage()));
        }
    }

    private static Event event(Path file, int number, JsonNode tree) throws IOException {
        String name = tree.path(KIND).asText();
        Class<? extends Event> kind = KINDS.get(name);
        if (kind == null) {
            throw new UnreadableHistory("%s, line %d: event must be one of %s, got \"%s\""
                    .formatted(file.getFileName(), number, KINDS.keySet(), name));
        }
        return Json.LINES.treeToValue(tree, kind);
    }
}
