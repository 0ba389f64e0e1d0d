package io.meridian.chaos.drill.verdict;

/** A promise and what was found of it. */
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
