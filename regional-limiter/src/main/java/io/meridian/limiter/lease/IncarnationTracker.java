package io.meridian.limiter.lease;

import jakarta.inject.Singleton;
import java.util.OptionalLong;

/** Of which life the region's data is, as this instance knows it. A later one ends all that it knew of the one before. */
@Singleton
public class IncarnationTracker {
    private static final long NONE = -1;

    private final Rebirth rebirth;
    private volatile long number = NONE;

    public IncarnationTracker(Rebirth rebirth) {
        this.rebirth = rebirth;
    }

    /** Empty until the region has answered once. */
    public OptionalLong current() {
        long known = number;
        return known == NONE ? OptionalLong.empty() : OptionalLong.of(known);
    }

    /**
     * What a server says of its data. One of an earlier life is one that was left behind: it is not believed.
     *
     * @param wiped whether this life began with nothing
     * @return whether another life has begun since this instance last heard
     */
    public synchronized boolean learn(long life, boolean wiped) {
        long before = number;
        if (life <= before) {
            return false;
        }
        number = life;
        if (before == NONE) {
            return false;
        }
        rebirth.began(life, before, wiped);
        return true;
    }
}
