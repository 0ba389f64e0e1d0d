package io.meridian.limiter.report;

import io.meridian.limiter.region.Ports.LeaderContact;
import io.meridian.limiter.region.RegionClock;
import io.meridian.limiter.policy.RulesInEffect.RuleOrigin;
import io.meridian.limiter.policy.RulesInEffect.RulesStatus;
import io.meridian.limiter.policy.RulesInEffect;
import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.InstanceReport;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Knows when this instance has to say which rules it runs: every so often, and at once when they are others. */
final class Reporter {
    private final Identity self;
    private final String keyCheck;
    private final RulesInEffect rulebooks;
    private final RegionClock clock;
    private final LeaderContact centre;
    private final TimeSource time;
    private final Duration interval;
    private long toldNanos;
    private long toldRevision = -1;
    private @Nullable RuleOrigin toldOrigin;

    Reporter(
            Identity self,
            String keyCheck,
            RulesInEffect rulebooks,
            RegionClock clock,
            LeaderContact centre,
            TimeSource time,
            Duration interval) {
        this.self = self;
        this.keyCheck = keyCheck;
        this.rulebooks = rulebooks;
        this.clock = clock;
        this.centre = centre;
        this.time = time;
        this.interval = interval;
    }

    /** The report that is due now, or null. */
    @Nullable InstanceReport due() {
        RulesStatus status = rulebooks.status();
        long nowNanos = time.monotonicNanos();
        boolean changed = status.revision() != toldRevision || status.origin() != toldOrigin;
        if (!changed && nowNanos - toldNanos < interval.toNanos()) {
            return null;
        }
        toldNanos = nowNanos;
        toldRevision = status.revision();
        toldOrigin = status.origin();
        return new InstanceReport(
                self.region(),
                self.instance(),
                status.revision(),
                status.origin().text(),
                status.confirmedMicros(),
                time.wallMicros(),
                clock.nowMicros(),
                centre.loop(),
                keyCheck);
    }
}
