package io.meridian.chaos.sim;

/** An invariant does not hold. Thrown where it is seen, and caught by who runs the history. */
public final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Stands where others name an invariant: that nothing is thrown that nobody expects. */
    static final String CRASH = "crash";

    private final String invariant;

    Violation(String invariant, String words) {
        super(invariant + ": " + words);
        this.invariant = invariant;
    }

    private Violation(Throwable crash) {
        super(CRASH + ": " + crash + at(crash), crash);
        this.invariant = CRASH;
    }

    /** What no part expected is a violation too, whatever it is. */
    static Violation crash(Throwable crash) {
        return crash instanceof Violation violation ? violation : new Violation(crash);
    }

    private static String at(Throwable crash) {
        StackTraceElement[] frames = crash.getStackTrace();
        return frames.length == 0 ? "" : " at " + frames[0];
    }

    public String invariant() {
        return invariant;
    }
}
