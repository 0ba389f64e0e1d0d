package io.meridian.chaos.drill.verdict;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What all checkers found, in their order. One broken promise breaks the whole, and one unknown leaves it unknown. */
public record Verdict(List<Judged> findings) {
    /** For a command: every promise held. */
    public static final int EXIT_VALID = 0;
    /** For a command: one was broken. */
    public static final int EXIT_VIOLATED = 1;
    /** For a command: one could not be judged; 2 is a wrong call of the command itself. */
    public static final int EXIT_UNKNOWN = 3;

    public Verdict {
        findings = List.copyOf(findings);
    }

    /** The same of a drill that did not complete: whatever was seen of it, the rest was not. */
    public Verdict incomplete(String reason) {
        List<Judged> all = new ArrayList<>(findings);
        all.add(new Judged("completed", Finding.unknown("The drill was " + reason + ".")));
        return new Verdict(all);
    }

    /** Nothing judged is nothing known. */
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

    /** The outcome for somebody who reads nothing else. */
    public String sentence() {
        return switch (overall()) {
            case VALID -> "The limits held. All " + findings.size() + " promises were put to the test and kept.";
            case VIOLATED -> "A promise was broken: " + named(State.VIOLATED) + "." + alsoUnknown();
            case UNKNOWN ->
                findings.isEmpty()
                        ? "Nothing is known: no promise was judged."
                        : "Nothing was seen to break, but this could not be judged: " + named(State.UNKNOWN) + ".";
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
}
