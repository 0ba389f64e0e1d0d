package io.meridian.drill.checks;

import io.meridian.drill.checks.Finding.State;
import io.meridian.drill.history.DrillHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Verdict of a drill: the findings of all checkers, in order. It is violated if one is, else unknown if one is or there are none. */
public record DrillVerdict(List<Judged> findings) {
    /** Exit code: every promise held. */
    public static final int EXIT_VALID = 0;
    /** Exit code: one was broken. */
    public static final int EXIT_VIOLATED = 1;
    /** Exit code: one could not be judged; 2 is for wrong arguments. */
    public static final int EXIT_UNKNOWN = 3;

    public DrillVerdict {
        findings = List.copyOf(findings);
    }

    /** Judges a history. A checker that fails leaves its promise unknown, and the others are judged. */
    public static DrillVerdict of(List<Checker> checkers, DrillHistory history) {
        return new DrillVerdict(checkers.stream()
                .map(checker -> new Judged(checker.name(), finding(checker, history)))
                .toList());
    }

    private static Finding finding(Checker checker, DrillHistory history) {
        try {
            return checker.check(history);
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError | AssertionError broken) {
            return new Finding(
                    State.UNKNOWN, "The checker itself failed: " + broken, Map.of("failure", broken.toString()));
        }
    }

    /** The same verdict for a drill that did not complete, which leaves it unknown at best. */
    public DrillVerdict incomplete(String reason) {
        List<Judged> all = new ArrayList<>(findings);
        all.add(new Judged("completed", Finding.unknown("The drill was " + reason + ".")));
        return new DrillVerdict(all);
    }

    public State overall() {
        if (has(State.VIOLATED)) {
            return State.VIOLATED;
        }
        return findings.isEmpty() || has(State.UNKNOWN) ? State.UNKNOWN : State.VALID;
    }

    public int exitCode() {
        return switch (overall()) {
            case VALID -> EXIT_VALID;
            case VIOLATED -> EXIT_VIOLATED;
            case UNKNOWN -> EXIT_UNKNOWN;
        };
    }

    /** Summary in one sentence. */
    public String sentence() {
        return switch (overall()) {
            case VALID -> "The limits held. All " + findings.size() + " promises were tested and kept.";
            case VIOLATED -> "A promise was broken: " + named(State.VIOLATED) + "." + alsoUnknown();
            case UNKNOWN ->
                findings.isEmpty()
                        ? "Unknown: no promise was judged."
                        : "No promise was seen to break, but this could not be judged: " + named(State.UNKNOWN) + ".";
        };
    }

    private String alsoUnknown() {
        return has(State.UNKNOWN) ? " Not judged: " + named(State.UNKNOWN) + "." : "";
    }

    private boolean has(State state) {
        return findings.stream().anyMatch(judged -> judged.state() == state);
    }

    private String named(State state) {
        return findings.stream()
                .filter(judged -> judged.state() == state)
                .map(Judged::promise)
                .collect(Collectors.joining(", "));
    }

    /** Promise and the finding about it. */
    public record Judged(String promise, Finding finding) {
        public Judged {
            if (promise.isBlank()) {
                throw new IllegalArgumentException("promise must have a name, got \"" + promise + "\"");
            }
        }

        State state() {
            return finding.state();
        }
    }
}
