package io.meridian.model.policy;

import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong, so that one answer names every violated field. */
public final class Rules {
    private final List<Violation> violations = new ArrayList<>();

    public Rules require(boolean holds, String field, Object value, String rule) {
        if (!holds) {
            violations.add(new Violation(field, String.valueOf(value), rule));
        }
        return this;
    }

    /** Runs something that validates itself, and keeps what it refused. */
    public void collect(Runnable validated) {
        try {
            validated.run();
        } catch (InvalidException invalid) {
            violations.addAll(invalid.violations());
        }
    }

    public void throwIfBroken() {
        if (!violations.isEmpty()) {
            throw new InvalidException(violations);
        }
    }
}
