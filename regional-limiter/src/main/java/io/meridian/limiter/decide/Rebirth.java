package io.meridian.limiter.decide;

import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.function.Consumer;

/** What this instance does when its region's counters begin a new life: nothing it holds goes back, and all hear of it. */
@Singleton
public class Rebirth {
    private final LeaseTable leases;
    private final Consumer<RegionReborn> reborn;

    @Inject
    Rebirth(LeaseTable leases, Event<RegionReborn> reborn) {
        this(leases, (Consumer<RegionReborn>) reborn::fire);
    }

    Rebirth(LeaseTable leases, Consumer<RegionReborn> reborn) {
        this.leases = leases;
        this.reborn = reborn;
    }

    void began(long life, long before, boolean wiped) {
        RegionReborn event = new RegionReborn(before, life, wiped, leases.seen());
        leases.lose();
        reborn.accept(event);
    }
}
