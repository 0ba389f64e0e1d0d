package io.meridian.chaos.drill.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.meridian.chaos.drill.history.History;
import io.meridian.chaos.drill.verdict.FaultSpan;
import io.meridian.chaos.drill.verdict.Judged;
import io.meridian.chaos.drill.verdict.Lateness;
import io.meridian.chaos.drill.verdict.State;
import io.meridian.chaos.drill.verdict.Timeline;
import io.meridian.chaos.drill.verdict.Verdict;
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

/** The page of a drill: one file that needs no other. The verdict stands in it as text, a script draws the rest. */
final class Page {
    private static final Pattern PLACE = Pattern.compile("\\{\\{([a-z-]+)}}");
    private static final DateTimeFormatter WHEN =
            DateTimeFormatter.ofPattern("d MMMM uuuu, HH:mm 'UTC'").withZone(ZoneOffset.UTC);

    private final History history;
    private final Timeline timeline;
    private final Verdict verdict;
    private final Lateness.Summary lateness;
    private final List<WindowRow> windows;

    Page(History history, Timeline timeline, Verdict verdict, Lateness.Summary lateness, List<WindowRow> windows) {
        this.history = history;
        this.timeline = timeline;
        this.verdict = verdict;
        this.lateness = lateness;
        this.windows = windows;
    }

    String html() throws JsonProcessingException {
        String data = Json.LINES.writeValueAsString(new PageData(history, timeline).all(windows));
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
                Map.entry("lateness", Markup.text(lateness.judged().words())),
                Map.entry("when", Markup.text(WHEN.format(history.startedAt()))),
                Map.entry("findings", verdict.findings().stream().map(Page::row).collect(Collectors.joining())));
        // One pass: what is put in is not looked at again.
        return PLACE.matcher(resource("timeline.html"))
                .replaceAll(place -> Matcher.quoteReplacement(parts.getOrDefault(place.group(1), "")));
    }

    private String story() {
        List<FaultSpan> faults = timeline.faults();
        String done = faults.isEmpty()
                ? "No fault was seen."
                : faults.stream()
                                .map(FaultSpan::words)
                                .distinct()
                                .limit(3)
                                .collect(Collectors.joining("; ", "What was done: ", ""))
                        + (faults.stream().map(FaultSpan::words).distinct().count() > 3 ? "; and more." : ".");
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
                        Markup.text(judged.finding().words()));
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
        try (InputStream in = Page.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the resource " + name + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
