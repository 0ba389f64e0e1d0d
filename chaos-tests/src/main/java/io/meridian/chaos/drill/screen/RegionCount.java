package io.meridian.chaos.drill.screen;

/** How many answers a region has given so far, or gives in a second. */
record RegionCount(double allowed, double denied, double failed, double degraded) {
    static final RegionCount NONE = new RegionCount(0, 0, 0, 0);

    RegionCount plus(RegionCount other) {
        return new RegionCount(
                allowed + other.allowed, denied + other.denied, failed + other.failed, degraded + other.degraded);
    }

    /** What came since then, for each second. */
    RegionCount since(RegionCount before, double seconds) {
        return new RegionCount(
                (allowed - before.allowed) / seconds,
                (denied - before.denied) / seconds,
                (failed - before.failed) / seconds,
                (degraded - before.degraded) / seconds);
    }
}
