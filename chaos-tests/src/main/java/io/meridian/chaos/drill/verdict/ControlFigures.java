package io.meridian.chaos.drill.verdict;

import io.meridian.chaos.drill.history.Event.Checked;
import io.meridian.chaos.drill.history.History;
import io.meridian.chaos.drill.history.Phase;
import io.meridian.chaos.drill.history.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Figures of one limit over the whole windows before a drill's fault, for a benchmark to print. A limit L is crossed when the client
 * has received the L-th allowed answer, from whatever region. A region's flag delay is the time from then to the latest sending of a
 * check that it still allowed; 0 if there is none, because what was sent before could not be known to be too much.
 *
 * @param admitted of each window
 * @param flagDelaysNanos of each region and window in which the limit was crossed, in order
 */
public record ControlFigures(Subject subject, List<Long> admitted, List<Long> flagDelaysNanos) {
    private static final long SLACK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    public ControlFigures {
        admitted = List.copyOf(admitted);
        flagDelaysNanos = flagDelaysNanos.stream().sorted().toList();
    }

    public static ControlFigures of(History history, Subject subject) {
        Timeline timeline = new Timeline(history);
        List<Long> admitted = new ArrayList<>();
        List<Long> delays = new ArrayList<>();
        for (WindowCount window : new SubjectWindows(history, timeline, subject).all()) {
            boolean undisturbed = timeline.phases().stream()
                    .filter(span -> span.phase() == Phase.CONTROL)
                    .anyMatch(span -> span.covers(window.startNanos(), window.endNanos(), SLACK_NANOS));
            if (undisturbed) {
                admitted.add(window.admitted());
                addDelays(window.allowed(), subject.limit(), history.regions(), delays);
            }
        }
        return new ControlFigures(subject, admitted, delays);
    }

    private static void addDelays(List<Checked> allowed, long limit, List<String> regions, List<Long> delays) {
        if (allowed.size() < limit) {
            return;
        }
        long crossedNanos = allowed.get((int) limit - 1).answeredNanos();
        for (String region : regions) {
            delays.add(allowed.stream()
                    .filter(checked -> checked.region().equals(region))
                    .mapToLong(checked -> Math.max(0, checked.atNanos() - crossedNanos))
                    .max()
                    .orElse(0));
        }
    }

    /** How far the worst window was above the limit, in percent of it. */
    public double overshootPercent() {
        return admitted.stream()
                .mapToDouble(each -> 100.0 * Math.max(0, each - subject.limit()) / subject.limit())
                .max()
                .orElse(0);
    }

    /** How much of the limit the emptiest window used, in percent. */
    public double usedPercent() {
        return admitted.stream()
                .mapToDouble(each -> 100.0 * each / subject.limit())
                .min()
                .orElse(0);
    }

    /** The flag delay that this share did not exceed, 0 if there is none: 0.99 for the 99th percentile. */
    public long flagDelayMillis(double share) {
        int rank = Math.max(1, (int) Math.ceil(share * flagDelaysNanos.size()));
        return flagDelaysNanos.isEmpty() ? 0 : TimeUnit.NANOSECONDS.toMillis(flagDelaysNanos.get(rank - 1));
    }
}
