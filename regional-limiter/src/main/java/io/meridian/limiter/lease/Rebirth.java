package io.meridian.limiter.lease;

import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.function.Consumer;

/** What this instance does when its region's counters begin a new life: nothing it holds goes back, and all hear of it. */
@Singleton
public class Rebirth {
    private final LeaseTable leases;
    private final Consumer<IncarnationChanged> reborn;

    @Inject
    Rebirth(LeaseTable leases, Event<IncarnationChanged> reborn) {
        this(leases, (Consumer<IncarnationChanged>) reborn::fire);
    }

    Rebirth(LeaseTable leases, Consumer<IncarnationChanged> reborn) {
        this.leases = leases;
        this.reborn = reborn;
    }

    void began(long life, long before, boolean wiped) {
        IncarnationChanged event = new IncarnationChanged(before, life, wiped, leases.seen());
        leases.lose();
        reborn.accept(event);
    }
}
