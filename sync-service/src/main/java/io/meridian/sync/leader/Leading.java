package io.meridian.sync.leader;

import io.meridian.model.time.TimeSource;
import java.time.Duration;

/** What a replica does at every turn once it has read: takes over where it may, says what is due, and keeps its memory in order. */
final class Leading {
    private static final Duration UPKEEP_EVERY = Duration.ofMillis(100);
    /** Of 256: all of a book's in a quarter of a minute. */
    private static final int SWEEP_PARTS = 2;

    private final Takeovers takeovers;
    private final Ticker ticker;
    private final Memory memory;
    private final Overshoots overshoots;
    private final TimeSource time;
    private long upkeepNanos;

    Leading(Takeovers takeovers, Ticker ticker, Memory memory, Overshoots overshoots, TimeSource time) {
        this.takeovers = takeovers;
        this.ticker = ticker;
        this.memory = memory;
        this.overshoots = overshoots;
        this.time = time;
        this.upkeepNanos = time.monotonicNanos() - UPKEEP_EVERY.toNanos();
    }

    /** Goes on by what can be done now; true if memory was put in order, so that what is known of it is worth telling again. */
    boolean step() {
        takeovers.step();
        if (ticker.isDue()) {
            ticker.tick();
        }
        boolean upkeep = time.monotonicNanos() - upkeepNanos >= UPKEEP_EVERY.toNanos();
        if (upkeep) {
            upkeepNanos = time.monotonicNanos();
            memory.partitions().forEach(this::keep);
        }
        return upkeep;
    }

    private void keep(Partition partition) {
        partition.book().sweep(time.wallMicros(), SWEEP_PARTS);
        overshoots.look(partition);
    }
}
