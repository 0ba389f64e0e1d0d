package io.meridian.chaos.drill.report;

import io.meridian.chaos.drill.history.History;
import io.meridian.chaos.drill.verdict.Lateness;
import io.meridian.chaos.drill.verdict.Timeline;
import io.meridian.chaos.drill.verdict.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** The files of a drill. The results come last: a folder that has them is whole. */
public final class DrillReport {
    public static final String JOURNAL = "journal.json";
    public static final String HISTORY = "history.jsonl";
    public static final String RESULTS = "results.json";
    public static final String PAGE = "timeline.html";

    private DrillReport() {}

    /** Writes all four, into a folder that is made if it is missing. */
    public static void write(Path folder, History history, Verdict verdict, Journal journal) throws IOException {
        Files.createDirectories(folder);
        Timeline timeline = new Timeline(history);
        List<WindowRow> windows = WindowRow.all(history, timeline);
        Lateness.Summary lateness = Lateness.Summary.of(history);
        HistoryFile.write(folder.resolve(HISTORY), history);
        Json.PRETTY.writeValue(folder.resolve(JOURNAL).toFile(), journal);
        Files.writeString(folder.resolve(PAGE), new Page(history, timeline, verdict, lateness, windows).html());
        Results results = new Results(
                history.drill(),
                history.title(),
                history.startedAt().toString(),
                timeline.endNanos() / 1e9,
                verdict.overall(),
                verdict.exitCode(),
                verdict.sentence(),
                verdict,
                lateness,
                windows);
        Json.PRETTY.writeValue(folder.resolve(RESULTS).toFile(), results);
    }

    /**
     * What a folder says; a missing or broken file is an {@link IOException} that names it. A verdict on a history of another version is
     * refused too: it was found by other rules.
     */
    public static Saved read(Path folder) throws IOException {
        Path file = folder.resolve(RESULTS);
        if (!Files.isRegularFile(file)) {
            throw new IOException(folder + " has no " + RESULTS + ": no drill has ended there");
        }
        Path history = folder.resolve(HISTORY);
        if (Files.isRegularFile(history)) {
            HistoryFile.requireReadable(history);
        }
        Results results = Json.LINES.readValue(file.toFile(), Results.class);
        return new Saved(
                results.drill(),
                results.title(),
                Instant.parse(results.startedAt()),
                results.seconds(),
                results.judged(),
                results.lateness(),
                folder.resolve(PAGE));
    }
}
