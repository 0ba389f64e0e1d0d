package io.meridian.chaos.drill.report;

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
            String first = reader.readLine();
            if (first == null) {
                throw new IOException(file + " is empty, it must begin with a header");
            }
            HistoryHeader header = Json.LINES.readValue(first, HistoryHeader.class);
            List<Event> events = new ArrayList<>();
            int number = 1;
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                events.add(event(file, ++number, line));
            }
            return header.with(events);
        }
    }

    private static Event event(Path file, int number, String line) throws IOException {
        JsonNode tree = Json.LINES.readTree(line);
        String name = tree.path(KIND).asText();
        Class<? extends Event> kind = KINDS.get(name);
        if (kind == null) {
            throw new IOException("%s, line %d: event must be one of %s, got \"%s\""
                    .formatted(file.getFileName(), number, KINDS.keySet(), name));
        }
        return Json.LINES.treeToValue(tree, kind);
    }
}
