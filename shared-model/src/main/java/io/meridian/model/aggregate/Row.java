package io.meridian.model.aggregate;

import io.meridian.model.escrow.Account;
import io.meridian.model.usage.UsageCount;
import io.meridian.model.wire.UsageRecord;

/** What is known of one life of a region in one window, and what it was last told. A working copy of packed bytes. */
final class Row {
    private static final long REFUSED_SECONDS = 2;

    final int life;
    long taken;
    long returned;
    long granted;
    long grantReturned;
    long demandPerSecond;
    long refusedCost;
    /** When it was last heard of, by the leader's clock, in seconds from the start of the window. */
    long heardSeconds;

    long toldElsewhere;
    boolean toldBlocked;

    Row(int life) {
        this.life = life;
    }

    /** Takes in what was counted; false if that is from before what is known, and so says nothing of how things are. */
    boolean count(UsageRecord usage) {
        boolean late = usage.count().taken() < taken
                || usage.count().returned() < returned
                || usage.grantReturned() < grantReturned;
        taken = Math.max(taken, usage.count().taken());
        returned = Math.max(returned, usage.count().returned());
        grantReturned = Math.max(grantReturned, usage.grantReturned());
        return !late;
    }

    long net() {
        return taken - returned;
    }

    /** The last it said, fading by half every second of silence: who is idle does not say so.
     *
     * @param windowSeconds now, in seconds from the start of the window
     */
    long demandPerSecond(long windowSeconds) {
        long silent = Math.max(0, windowSeconds - heardSeconds - 1);
        return silent >= Long.SIZE ? 0 : demandPerSecond >> silent;
    }

    /**
     * What it last had to refuse, as long as it says so: who is refused comes again within a second, or not at all.
     *
     * @param windowSeconds now, in seconds from the start of the window
     */
    long refusedCost(long windowSeconds) {
        return windowSeconds - heardSeconds <= REFUSED_SECONDS ? refusedCost : 0;
    }

    Account account() {
        return new Account(granted, grantReturned, new UsageCount(taken, returned));
    }
}
