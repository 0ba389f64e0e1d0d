package io.meridian.config.regions;

/** The regions cannot be asked now. No stack: it is an answer, not a fault. */
public final class RegionsAway extends RuntimeException {
    private final boolean busy;

    RegionsAway(String reason, boolean busy) {
        super(reason, null, false, false);
        this.busy = busy;
    }

    /** Whether it is only that too many ask. */
    public boolean isBusy() {
        return busy;
    }
}
