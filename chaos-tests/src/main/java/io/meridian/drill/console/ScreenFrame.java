package io.meridian.drill.console;

import io.meridian.drill.console.DrillProgress.OpenWindow;
import io.meridian.drill.console.DrillProgress.RegionCount;
import io.meridian.drill.console.Terminal.Paint.Tone;
import io.meridian.drill.console.Terminal.StyledLine;
import io.meridian.drill.history.Subject;
import io.meridian.drill.history.Subject.Sharing;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One frame of the live progress.
 *
 * @param rates answers per second of each region
 */
record ScreenFrame(String title, DrillProgress progress, Map<String, RegionCount> rates, long nowNanos) {
    private static final int NARROW = 70;
    private static final int FAULTS_SHOWN = 4;
    private static final double NANOS = 1e9;

    /** All lines: one for each region and limit, and some more. */
    List<StyledLine> full(int width) {
        List<StyledLine> lines = new ArrayList<>();
        lines.add(new StyledLine().add(Tone.STRONG, title));
        lines.add(StyledLine.of("  %.0f s  ".formatted(nowNanos / NANOS))
                .add(Tone.STRONG, phase())
                .add(" for %.0f s".formatted((nowNanos - progress.phaseNanos()) / NANOS))
                .add(progress.parts() > 1 ? Tone.ODD : Tone.SOFT, network()));
        faults(lines);
        for (String region : progress.regions()) {
            lines.add(region(region));
        }
        for (Subject subject : progress.subjects()) {
            lines.add(subject(subject, width < NARROW ? 12 : 30));
        }
        lines.add(leaders());
        lines.add(failed());
        return lines;
    }

    /** The same in one line. */
    StyledLine brief() {
        RegionCount all = rates.values().stream().reduce(RegionCount.NONE, RegionCount::plus);
        StyledLine line = StyledLine.of("%5.0f s  %-8s %4.0f/s allowed %4.0f/s denied, %.0f failed"
                .formatted(
                        nowNanos / NANOS,
                        phase(),
                        all.allowed(),
                        all.denied(),
                        progress.all().failed()));
        for (Subject subject : progress.subjects()) {
            line.add("  %s %d/%d".formatted(label(subject), used(subject), subject.limit()));
        }
        return line;
    }

    private String phase() {
        return progress.phase().name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private String network() {
        return progress.parts() > 1 ? "  network in %d parts".formatted(progress.parts()) : "  all regions connected";
    }

    private void faults(List<StyledLine> lines) {
        List<String> faults = progress.faults();
        if (faults.isEmpty()) {
            lines.add(new StyledLine().add(Tone.SOFT, "  no fault in effect"));
        }
        faults.stream()
                .limit(FAULTS_SHOWN)
                .forEach(description ->
                        lines.add(StyledLine.of("  ").add(Tone.BAD, "fault").add("  " + description)));
        if (faults.size() > FAULTS_SHOWN) {
            lines.add(StyledLine.of("  and %d more".formatted(faults.size() - FAULTS_SHOWN)));
        }
    }

    private StyledLine region(String region) {
        RegionCount rate = rates.getOrDefault(region, RegionCount.NONE);
        StyledLine line = StyledLine.of(
                "  %-14s %5.0f/s allowed %5.0f/s denied".formatted(region, rate.allowed(), rate.denied()));
        if (rate.failed() > 0) {
            line.add(Tone.BAD, " %.0f/s failed".formatted(Math.ceil(rate.failed())));
        }
        if (rate.degraded() > 0) {
            line.add(Tone.ODD, " %.0f/s without Redis".formatted(Math.ceil(rate.degraded())));
        }
        return line;
    }

    private StyledLine subject(Subject subject, int cells) {
        StyledLine line = StyledLine.of("  %-14s ".formatted(label(subject)));
        new Bar(used(subject), subject.limit(), cells).addTo(line);
        return subject.sharing() == Sharing.REGIONAL
                ? line.add(Tone.SOFT, " in " + progress.window(subject).fullest())
                : line;
    }

    /** Short label, because policies of drills have long names; mostly each is the only one of its sharing mode. */
    private String label(Subject subject) {
        boolean only = progress.subjects().stream()
                        .filter(other -> other.sharing() == subject.sharing())
                        .count()
                == 1;
        return only ? subject.sharing().name().toLowerCase(Locale.ROOT) : subject.policy();
    }

    private long used(Subject subject) {
        OpenWindow window = progress.window(subject);
        return subject.sharing() == Sharing.REGIONAL ? window.of(window.fullest()) : window.total();
    }

    private StyledLine leaders() {
        Map<String, Long> leads = progress.leads();
        String named = leads.entrySet().stream()
                .filter(lead -> !lead.getKey().isEmpty())
                .map(lead -> lead.getKey() + " " + lead.getValue())
                .collect(Collectors.joining(", "));
        StyledLine line = StyledLine.of("  leaders: " + (named.isEmpty() ? "none seen" : named));
        return leads.containsKey("") ? line.add(Tone.BAD, ", without a leader " + leads.get("")) : line;
    }

    private StyledLine failed() {
        long failed = (long) progress.all().failed();
        return failed == 0
                ? StyledLine.of("  failed checks: 0")
                : StyledLine.of("  failed checks: ")
                        .add(Tone.BAD, "%,d, last: %s".formatted(failed, progress.lastReason()));
    }

    /** Bar of a total against its limit. The excess follows the limit's mark in another character, up to a third of the limit. */
    record Bar(long total, long limit, int cells) {
        void addTo(StyledLine line) {
            int within = (int) Math.min(cells, total * cells / limit);
            long over = Math.max(0, total - limit);
            int above = over == 0 ? 0 : (int) Math.min(cells / 3, 1 + over * cells / limit);
            line.add("[")
                    .add(within == cells ? Tone.ODD : Tone.GOOD, "#".repeat(within))
                    .add(Tone.SOFT, ".".repeat(cells - within))
                    .add("|")
                    .add(Tone.BAD, "!".repeat(above))
                    .add(" ".repeat(cells / 3 - above))
                    .add(" %,d of %,d".formatted(total, limit));
        }
    }
}
