package io.meridian.limiter.decide;

import jakarta.enterprise.event.Event;
import jakarta.inject.Singleton;

/** What this instance does when its region's counters begin a new life: nothing it holds goes back, and all hear of it. */
@Singleton
public class Rebirth {
    private final LeaseTable leases;
    private final Event<RegionReborn> reborn;

    Rebirth(LeaseTable leases, Event<RegionReborn> reborn) {
        this.leases = leases;
        this.reborn = reborn;
    }

    public void began(long life, long before, boolean wiped) {
        RegionReborn event = new RegionReborn(before, life, wiped, leases.seen());
        leases.lose();
        reborn.fire(event);
    }
}
