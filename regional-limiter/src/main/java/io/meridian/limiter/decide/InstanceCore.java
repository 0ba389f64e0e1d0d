package io.meridian.limiter.decide;

import io.meridian.limiter.LimiterConfig.LeaseConfig;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.limiter.policy.RulesInEffect;
import io.meridian.model.match.Check;
import io.meridian.model.time.TimeSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The decisions of one limiter instance, put together without a container: what the simulation runs. Everything outside is a
 * port.
 */
public final class InstanceCore {
    private final RegionClock clock;
    private final Decider decider;
    private final Upkeep upkeep;
    private final VerdictHearer verdicts;
    private final KnownLife life;

    /**
     * The outside.
     *
     * @param reborn hears when the region's data has begun another life
     */
    public record Ports(
            RulesInEffect rulebooks,
            RegionCounters counters,
            Fallback fallback,
            Centre centre,
            Usage usage,
            Timers timers,
            TimeSource time,
            Consumer<RegionReborn> reborn) {}

    public InstanceCore(Ports ports, LeaseConfig config, LimiterMetrics metrics) {
        clock = new RegionClock(ports.time);
        LeaseTable leases = new LeaseTable(config, metrics);
        GrantWaits grants = new GrantWaits(ports.timers, ports.centre, config, metrics);
        Aftermath aftermath =
                new Aftermath(metrics, Violations.UNTOLD, DecisionLog.NONE, ports.usage, ports.centre, ports.time);
        decider = new Decider(
                ports.rulebooks,
                leases,
                ports.counters,
                ports.fallback,
                clock,
                Optional::empty,
                ports.centre,
                grants,
                aftermath);
        upkeep = new Upkeep(leases, ports.counters, ports.fallback, clock, ports.usage, metrics);
        verdicts = new VerdictHearer(leases, ports.counters, grants, clock);
        life = new KnownLife(new Rebirth(leases, ports.reborn));
    }

    public CompletionStage<Ruling> check(Check check) {
        return decider.check(check);
    }

    /** To be called again and again. */
    public void upkeep() {
        upkeep.round();
    }

    /** Hands everything back, as an instance does that is stopped. */
    public CompletableFuture<Void> leave() {
        return upkeep.leave();
    }

    public VerdictHearer verdicts() {
        return verdicts;
    }

    public KnownLife life() {
        return life;
    }

    public RegionClock clock() {
        return clock;
    }
}
