package io.meridian.chaos.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.meridian.chaos.drill.file.Deadlines;
import io.meridian.chaos.drill.file.DrillFile;
import io.meridian.chaos.drill.history.History;
import io.meridian.chaos.drill.report.DrillReport;
import io.meridian.chaos.drill.report.HistoryFile;
import io.meridian.chaos.drill.run.DrillResult.Status;
import io.meridian.chaos.drill.verdict.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A drill that was run earlier, as its folder keeps it.
 *
 * @param deadlines those of the file that was run, which its journal has
 * @param status how far it came
 */
record SavedDrill(History history, Deadlines deadlines, String status) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Refuses a folder whose drill has not ended. */
    static SavedDrill read(Path folder) throws IOException {
        if (!Files.isRegularFile(folder.resolve(DrillReport.RESULTS))) {
            throw new IllegalArgumentException(
                    folder + " has no " + DrillReport.RESULTS + ": no drill has ended there");
        }
        History history = HistoryFile.read(folder.resolve(DrillReport.HISTORY));
        Path file = folder.resolve(DrillReport.JOURNAL);
        JsonNode journal = JSON.readTree(file.toFile());
        Deadlines deadlines = DrillFile.read(file.toString(), history.drill(), journal.path("experiment"))
                .deadlines();
        return new SavedDrill(history, deadlines, journal.path("status").asText());
    }

    Verdict verdict() {
        Verdict seen = Judgement.of(history, deadlines);
        return status.equals(Status.COMPLETED.word()) ? seen : seen.incomplete(status);
    }
}
