package io.meridian.chaos.global;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Knows every answer that any region gave about one limit, which nobody within the world does. What it says is what was
 * admitted; all that the world says of itself is held against it.
 */
final class Count {
    /** Bounds what is kept; a load that asks more is refused, because its totals would be wrong. */
    static final int ANSWERS_MAX = 2_000_000;

    private final int answersMax;
    private final List<Answered> answers = new ArrayList<>();
    private final Map<String, Long> failures = new TreeMap<>();

    Count() {
        this(ANSWERS_MAX);
    }

    Count(int answersMax) {
        this.answersMax = answersMax;
    }

    synchronized void answered(Answered answered) {
        if (answers.size() >= answersMax) {
            failed("over " + answersMax + " answers");
            return;
        }
        answers.add(answered);
    }

    /** A check that had neither 200 nor 429 for its answer, by what it had instead. */
    synchronized void failed(String reason) {
        failures.merge(reason, 1L, Long::sum);
    }

    synchronized Map<String, Long> failures() {
        return Map.copyOf(failures);
    }

    /** How many answers were given without Redis. */
    synchronized long degraded() {
        return answers.stream().filter(answered -> answered.answer().degraded()).count();
    }

    /** How many of them a region gave: then it promises nothing exact, in whichever window they seem to be. */
    synchronized long degraded(String region) {
        return answers.stream()
                .filter(answered ->
                        answered.region().equals(region) && answered.answer().degraded())
                .count();
    }

    /** Whether so many answers were given, and the latest so many of them all by the book. */
    synchronized boolean isSteady(int latest) {
        return answers.size() >= latest
                && answers.subList(answers.size() - latest, answers.size()).stream()
                        .noneMatch(answered -> answered.answer().degraded());
    }

    synchronized long allowed() {
        return answers.stream().filter(Answered::allowed).count();
    }

    synchronized long denied() {
        return answers.size() - allowed();
    }

    /** The ends of the windows of which something was said, in order. */
    synchronized SortedSet<Long> windows() {
        SortedSet<Long> ends = new TreeSet<>();
        answers.forEach(answered -> ends.add(answered.answer().windowEndMicros()));
        return ends;
    }

    synchronized Admitted window(long endMicros) {
        return new Admitted(answers.stream()
                .filter(answered -> answered.answer().windowEndMicros() == endMicros)
                .toList());
    }

    /** Whether a request to this region, sent after the moment, was decided so in that window. */
    synchronized boolean has(String region, boolean allowed, long windowEndMicros, long sinceNanos) {
        // From the end: what is looked for is among the latest.
        for (int i = answers.size() - 1; i >= 0; i--) {
            Answered answered = answers.get(i);
            if (answered.answer().windowEndMicros() == windowEndMicros
                    && answered.sentNanos() >= sinceNanos
                    && answered.allowed() == allowed
                    && answered.region().equals(region)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public synchronized String toString() {
        return "%d allowed, %d denied, %d degraded, failed %s".formatted(allowed(), denied(), degraded(), failures);
    }
}
