package io.meridian.chaos.drill.screen;

import io.meridian.chaos.drill.history.Subject;
import io.meridian.chaos.drill.history.Subject.Sharing;
import io.meridian.chaos.drill.screen.Paint.Tone;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One picture of a running drill.
 *
 * @param rates answers per second of each region
 */
record Frame(String title, Tally tally, Map<String, RegionCount> rates, long nowNanos) {
    private static final int NARROW = 70;
    private static final int FAULTS_SHOWN = 4;
    private static final double NANOS = 1e9;

    /** All of it, as high as regions and limits are many. */
    List<Line> full(int width) {
        List<Line> lines = new ArrayList<>();
        lines.add(new Line().add(Tone.STRONG, title));
        lines.add(Line.of("  %.0f s  ".formatted(nowNanos / NANOS))
                .add(Tone.STRONG, phase())
                .add(" for %.0f s".formatted((nowNanos - tally.phaseNanos()) / NANOS))
                .add(tally.parts() > 1 ? Tone.ODD : Tone.SOFT, world()));
        faults(lines);
        for (String region : tally.regions()) {
            lines.add(region(region));
        }
        for (Subject subject : tally.subjects()) {
            lines.add(subject(subject, width < NARROW ? 12 : 30));
        }
        lines.add(leaders());
        lines.add(failed());
        return lines;
    }

    /** The same in one line. */
    Line brief() {
        RegionCount all = rates.values().stream().reduce(RegionCount.NONE, RegionCount::plus);
        Line line = Line.of("%5.0f s  %-8s %4.0f/s allowed %4.0f/s denied, %.0f failed"
                .formatted(
                        nowNanos / NANOS,
                        phase(),
                        all.allowed(),
                        all.denied(),
                        tally.all().failed()));
        for (Subject subject : tally.subjects()) {
            line.add("  %s %d/%d".formatted(label(subject), used(subject), subject.limit()));
        }
        return line;
    }

    private String phase() {
        return tally.phase().name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private String world() {
        return tally.parts() > 1 ? "  the world is in %d parts".formatted(tally.parts()) : "  the world is whole";
    }

    private void faults(List<Line> lines) {
        List<String> faults = tally.faults();
        if (faults.isEmpty()) {
            lines.add(new Line().add(Tone.SOFT, "  no fault in effect"));
        }
        faults.stream()
                .limit(FAULTS_SHOWN)
                .forEach(words -> lines.add(Line.of("  ").add(Tone.BAD, "fault").add("  " + words)));
        if (faults.size() > FAULTS_SHOWN) {
            lines.add(Line.of("  and %d more".formatted(faults.size() - FAULTS_SHOWN)));
        }
    }

    private Line region(String region) {
        RegionCount rate = rates.getOrDefault(region, RegionCount.NONE);
        Line line = Line.of("  %-14s %5.0f/s allowed %5.0f/s denied".formatted(region, rate.allowed(), rate.denied()));
        if (rate.failed() > 0) {
            line.add(Tone.BAD, " %.0f/s failed".formatted(Math.ceil(rate.failed())));
        }
        if (rate.degraded() > 0) {
            line.add(Tone.ODD, " %.0f/s without Redis".formatted(Math.ceil(rate.degraded())));
        }
        return line;
    }

    private Line subject(Subject subject, int cells) {
        Line line = Line.of("  %-14s ".formatted(label(subject)));
        new Bar(used(subject), subject.limit(), cells).addTo(line);
        return subject.sharing() == Sharing.REGIONAL
                ? line.add(Tone.SOFT, " in " + tally.window(subject).fullest())
                : line;
    }

    /** A drill's own policies have long names, and each is the only one of its kind. */
    private String label(Subject subject) {
        boolean only = tally.subjects().stream()
                        .filter(other -> other.sharing() == subject.sharing())
                        .count()
                == 1;
        return only ? subject.sharing().name().toLowerCase(Locale.ROOT) : subject.policy();
    }

    private long used(Subject subject) {
        OpenWindow window = tally.window(subject);
        return subject.sharing() == Sharing.REGIONAL ? window.of(window.fullest()) : window.total();
    }

    private Line leaders() {
        Map<String, Long> leads = tally.leads();
        String named = leads.entrySet().stream()
                .filter(lead -> !lead.getKey().isEmpty())
                .map(lead -> lead.getKey() + " " + lead.getValue())
                .collect(Collectors.joining(", "));
        Line line = Line.of("  leaders: " + (named.isEmpty() ? "none seen" : named));
        return leads.containsKey("") ? line.add(Tone.BAD, ", nobody " + leads.get("")) : line;
    }

    private Line failed() {
        long failed = (long) tally.all().failed();
        return failed == 0
                ? Line.of("  failed checks: 0")
                : Line.of("  failed checks: ").add(Tone.BAD, "%,d, last: %s".formatted(failed, tally.lastReason()));
    }
}
