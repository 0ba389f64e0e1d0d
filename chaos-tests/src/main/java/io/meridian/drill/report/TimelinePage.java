package io.meridian.drill.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.meridian.drill.checks.DrillVerdict;
import io.meridian.drill.checks.DrillVerdict.Judged;
import io.meridian.drill.checks.Finding.State;
import io.meridian.drill.history.DrillHistory;
import io.meridian.drill.history.FaultSpan;
import io.meridian.drill.history.HistoryFile;
import io.meridian.drill.history.Lateness;
import io.meridian.drill.history.Timeline;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Timeline page of a drill: one self-contained HTML file. The verdict is text, and a script draws the charts. */
final class TimelinePage {
    private static final Pattern PLACE = Pattern.compile("\\{\\{([a-z-]+)}}");
    private static final DateTimeFormatter WHEN =
            DateTimeFormatter.ofPattern("d MMMM uuuu, HH:mm 'UTC'").withZone(ZoneOffset.UTC);

    private final DrillHistory history;
    private final Timeline timeline;
    private final DrillVerdict verdict;
    private final Lateness.Summary lateness;
    private final List<WindowRow> windows;

    TimelinePage(
            DrillHistory history,
            Timeline timeline,
            DrillVerdict verdict,
            Lateness.Summary lateness,
            List<WindowRow> windows) {
        this.history = history;
        this.timeline = timeline;
        this.verdict = verdict;
        this.lateness = lateness;
        this.windows = windows;
    }

    String html() throws JsonProcessingException {
        String data = HistoryFile.JSON.writeValueAsString(new TimelineData(history, timeline).all(windows));
        Map<String, String> parts = Map.ofEntries(
                Map.entry("style", resource("timeline.css")),
                Map.entry("script", resource("timeline.js")),
                Map.entry("data", Markup.script(data)),
                Map.entry("title", Markup.text(history.title())),
                Map.entry("drill", Markup.text(history.drill())),
                Map.entry("state", css(verdict.overall())),
                Map.entry("headline", headline(verdict.overall())),
                Map.entry("icon", icon(verdict.overall())),
                Map.entry("sentence", Markup.text(verdict.sentence())),
                Map.entry("story", Markup.text(story())),
                Map.entry("lateness", Markup.text(lateness.judged().description())),
                Map.entry("when", Markup.text(WHEN.format(history.startedAt()))),
                Map.entry(
                        "findings",
                        verdict.findings().stream().map(TimelinePage::row).collect(Collectors.joining())));
        // One pass, so that inserted text is not expanded again.
        return PLACE.matcher(resource("timeline.html"))
                .replaceAll(place -> Matcher.quoteReplacement(parts.getOrDefault(place.group(1), "")));
    }

    private String story() {
        List<FaultSpan> faults = timeline.faults();
        String done = faults.isEmpty()
                ? "No fault was injected."
                : faults.stream()
                                .map(FaultSpan::description)
                                .distinct()
                                .limit(3)
                                .collect(Collectors.joining("; ", "Faults: ", ""))
                        + (faults.stream()
                                                .map(FaultSpan::description)
                                                .distinct()
                                                .count()
                                        > 3
                                ? "; and more."
                                : ".");
        return "%s %d limits under load in %d regions for %.0f s."
                .formatted(done, history.subjects().size(), history.regions().size(), timeline.endNanos() / 1e9);
    }

    private static String row(Judged judged) {
        State state = judged.finding().state();
        return """
            <li class="finding %s"><span class="badge">%s %s</span><div><h3>%s</h3><p>%s</p></div></li>
            """.formatted(
                        css(state),
                        icon(state),
                        label(state),
                        Markup.text(judged.promise()),
                        Markup.text(judged.finding().description()));
    }

    private static String css(State state) {
        return switch (state) {
            case VALID -> "valid";
            case VIOLATED -> "violated";
            case UNKNOWN -> "unknown";
        };
    }

    private static String headline(State state) {
        return switch (state) {
            case VALID -> "Passed";
            case VIOLATED -> "Failed";
            case UNKNOWN -> "Not proven";
        };
    }

    private static String label(State state) {
        return switch (state) {
            case VALID -> "held";
            case VIOLATED -> "broken";
            case UNKNOWN -> "unknown";
        };
    }

    private static String icon(State state) {
        String shape =
                switch (state) {
                    case VALID -> "M7 12.5l3.5 3.5L17 9";
                    case VIOLATED -> "M8 8l8 8M16 8l-8 8";
                    case UNKNOWN -> "M9 9.5a3 3 0 1 1 4.2 2.7c-.8.4-1.2 1-1.2 1.8M12 17.2v.1";
                };
        return "<svg class=\"icon\" viewBox=\"0 0 24 24\" aria-hidden=\"true\"><circle cx=\"12\" cy=\"12\" r=\"11\"/>"
                + "<path d=\"" + shape + "\"/></svg>";
    }

    private static String resource(String name) {
        try (InputStream in = TimelinePage.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the resource " + name + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** Escaping of text in the page, because names come from files of users. */
    private static final class Markup {
        private Markup() {}

        /** Escapes for elements and quoted attributes. */
        static String text(String raw) {
            return raw.replace("&", "&amp;")
                    .replace("<", "&lt;")
                    .replace(">", "&gt;")
                    .replace("\"", "&quot;")
                    .replace("'", "&#39;");
        }

        /** Escapes JSON within a script element, which no value may end. */
        static String script(String json) {
            return json.replace("&", "\\u0026")
                    .replace("<", "\\u003c")
                    .replace(">", "\\u003e")
                    .replace("\u2028", "\\u2028")
                    .replace("\u2029", "\\u2029");
        }
    }
}
