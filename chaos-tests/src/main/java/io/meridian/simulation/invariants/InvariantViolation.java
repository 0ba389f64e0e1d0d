package io.meridian.simulation.invariants;

/** Violation of an invariant, thrown where it is found. */
public final class InvariantViolation extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Name of the invariant that no unexpected exception is thrown. */
    public static final String CRASH = "crash";

    private final String invariant;

    public InvariantViolation(String invariant, String words) {
        super(invariant + ": " + words);
        this.invariant = invariant;
    }

    private InvariantViolation(Throwable crash) {
        super(CRASH + ": " + crash + at(crash), crash);
        this.invariant = CRASH;
    }

    /** Violation by an unexpected exception. */
    public static InvariantViolation crash(Throwable crash) {
        return crash instanceof InvariantViolation violation ? violation : new InvariantViolation(crash);
    }

    private static String at(Throwable crash) {
        StackTraceElement[] frames = crash.getStackTrace();
        return frames.length == 0 ? "" : " at " + frames[0];
    }

    public String invariant() {
        return invariant;
    }
}
