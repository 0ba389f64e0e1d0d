package io.meridian.drill.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.meridian.drill.checks.DrillVerdict;
import io.meridian.drill.checks.Finding.State;
import io.meridian.drill.history.DrillHistory;
import io.meridian.drill.history.HistoryFile;
import io.meridian.drill.history.Lateness;
import io.meridian.drill.history.Timeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** Report of a drill: a folder of four files. The results are written last, so a folder with them is complete. */
public final class DrillReport {
    public static final String JOURNAL = "journal.json";
    public static final String HISTORY = "history.jsonl";
    public static final String RESULTS = "results.json";
    public static final String PAGE = "timeline.html";

    private static final ObjectMapper PRETTY = HistoryFile.JSON.copy().enable(SerializationFeature.INDENT_OUTPUT);

    private DrillReport() {}

    /** Writes all four files, and creates the folder if it is missing. */
    public static void write(Path folder, DrillHistory history, DrillVerdict verdict, Journal journal)
            throws IOException {
        Files.createDirectories(folder);
        Timeline timeline = new Timeline(history);
        List<WindowRow> windows = WindowRow.all(history, timeline);
        Lateness.Summary lateness = Lateness.Summary.of(history);
        HistoryFile.write(folder.resolve(HISTORY), history);
        PRETTY.writeValue(folder.resolve(JOURNAL).toFile(), journal);
        Files.writeString(folder.resolve(PAGE), new TimelinePage(history, timeline, verdict, lateness, windows).html());
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
        PRETTY.writeValue(folder.resolve(RESULTS).toFile(), results);
    }

    /** Refuses a folder without a complete report. */
    public static Path requireComplete(Path folder) {
        if (!Files.isRegularFile(folder.resolve(RESULTS))) {
            throw new IllegalArgumentException(
                    folder + " has no " + RESULTS + ": no drill has completed its report there");
        }
        return folder;
    }

    /**
     * Reads a report; a missing or corrupt file is an exception that names it. A report whose history has another version is refused too,
     * because its verdict was found by other rules.
     */
    public static SavedReport read(Path folder) throws IOException {
        Path file = requireComplete(folder).resolve(RESULTS);
        Path history = folder.resolve(HISTORY);
        if (Files.isRegularFile(history)) {
            HistoryFile.requireReadable(history);
        }
        Results results = HistoryFile.JSON.readValue(file.toFile(), Results.class);
        return new SavedReport(
                results.drill(),
                results.title(),
                Instant.parse(results.startedAt()),
                results.seconds(),
                results.judged(),
                results.lateness(),
                folder.resolve(PAGE));
    }

    /**
     * Results for programs: the verdict, and the figures that it is based on.
     *
     * @param windows of every policy, in order of time
     */
    private record Results(
            String drill,
            String title,
            String startedAt,
            double seconds,
            State verdict,
            int exitCode,
            String sentence,
            DrillVerdict judged,
            Lateness.Summary lateness,
            List<WindowRow> windows) {}

    /**
     * Report that was read back.
     *
     * @param page for a browser
     */
    public record SavedReport(
            String drill,
            String title,
            Instant startedAt,
            double seconds,
            DrillVerdict verdict,
            Lateness.Summary lateness,
            Path page) {}
}
