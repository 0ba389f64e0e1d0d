package io.meridian.drill.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.drill.checks.DrillVerdict.Judged;
import io.meridian.drill.checks.Finding.State;
import io.meridian.drill.history.HistoryFile;
import io.meridian.drill.report.DrillReport.SavedReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Form in which a complete report is published: verdict, promises, journal and page. Texts are cut at the bounds of the admin API, and a
 * page beyond its bound is left out, so that a long report does not hide its verdict.
 */
public final class DrillPublication {
    private static final int TITLE_MAX = 256;
    private static final int PROSE_MAX = 4_096;
    private static final int PAGE_MAX = 8 << 20;

    private DrillPublication() {}

    /**
     * The document that the admin API takes.
     *
     * @param target what the drill ran against, for readers
     */
    public static ObjectNode of(Path folder, String target) throws IOException {
        SavedReport report = DrillReport.read(folder);
        JsonNode journal =
                HistoryFile.JSON.readTree(folder.resolve(DrillReport.JOURNAL).toFile());
        ObjectNode drill = JsonNodeFactory.instance
                .objectNode()
                .put("drill", report.drill())
                .put("title", text(report.title(), TITLE_MAX))
                .put("target", text(target, TITLE_MAX))
                .put("started_at", report.startedAt().toString())
                .put("ended_at", journal.path("end").asText())
                .put("verdict", word(report.verdict().overall()))
                .put("sentence", text(report.verdict().sentence(), PROSE_MAX));
        ArrayNode promises = drill.putArray("promises");
        for (Judged each : report.verdict().findings()) {
            promises.addObject()
                    .put("promise", text(each.promise(), TITLE_MAX))
                    .put("verdict", word(each.finding().state()))
                    .put("description", text(each.finding().description(), PROSE_MAX));
        }
        drill.set("journal", journal);
        String page = Files.readString(report.page());
        if (page.length() <= PAGE_MAX) {
            drill.put("report", page);
        }
        return drill;
    }

    private static String word(State state) {
        return switch (state) {
            case VALID -> "held";
            case VIOLATED -> "broken";
            case UNKNOWN -> "unknown";
        };
    }

    /** Control characters become spaces; a surrogate pair is not cut in half. */
    private static String text(String raw, int max) {
        String plain = raw.replaceAll("\\p{Cntrl}", " ");
        if (plain.length() <= max) {
            return plain;
        }
        return plain.substring(0, Character.isHighSurrogate(plain.charAt(max - 1)) ? max - 1 : max);
    }
}
