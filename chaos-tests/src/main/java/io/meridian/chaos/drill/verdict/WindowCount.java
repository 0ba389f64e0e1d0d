package io.meridian.chaos.drill.verdict;

import io.meridian.chaos.drill.history.Event.Checked;
import io.meridian.chaos.drill.history.Event.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Predicate;

/** What the omniscient client saw of one window of one limit. */
public final class WindowCount {
    private final long endMicros;
    private final long startNanos;
    private final long endNanos;
    private final List<Checked> decided = new ArrayList<>();

    WindowCount(long endMicros, long startNanos, long endNanos) {
        this.endMicros = endMicros;
        this.startNanos = startNanos;
        this.endNanos = endNanos;
    }

    void add(Checked checked) {
        decided.add(checked);
    }

    /** Names the window, in wall time. */
    public long endMicros() {
        return endMicros;
    }

    /** In the drill's time; before 0 where the window began before the drill. */
    public long startNanos() {
        return startNanos;
    }

    public long endNanos() {
        return endNanos;
    }

    public long asked() {
        return decided.size();
    }

    public long asked(String region) {
        return count(checked -> checked.region().equals(region));
    }

    public long admitted() {
        return count(WindowCount::isAllowed);
    }

    public long admitted(String region) {
        return count(checked -> isAllowed(checked) && checked.region().equals(region));
    }

    /** Answers that a region gave without its Redis. */
    public long degraded(String region) {
        return count(checked -> checked.degraded() && checked.region().equals(region));
    }

    public long degraded() {
        return count(Checked::degraded);
    }

    long degradedAdmitted(String region) {
        return count(checked ->
                isAllowed(checked) && checked.degraded() && checked.region().equals(region));
    }

    /** The allowed answers, in the order in which the client had them. */
    List<Checked> allowed() {
        return decided.stream()
                .filter(WindowCount::isAllowed)
                .sorted(Comparator.comparingLong(Checked::answeredNanos))
                .toList();
    }

    /** When the client had the answer with which regions had used so much, by their Redis; empty if they did not. */
    OptionalLong usedUpNanos(long units) {
        return allowed().stream()
                .filter(checked -> !checked.degraded())
                .skip(units - 1)
                .mapToLong(Checked::answeredNanos)
                .findFirst();
    }

    long count(Predicate<Checked> which) {
        return decided.stream().filter(which).count();
    }

    static boolean isAllowed(Checked checked) {
        return checked.outcome() == Outcome.ALLOWED;
    }
}
