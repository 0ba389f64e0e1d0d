package io.meridian.limiter.control;

import io.meridian.limiter.LimiterConfig;
import io.meridian.limiter.region.Ports.LeaderContact;
import io.meridian.limiter.region.RegionClock;
import io.meridian.limiter.rules.RulesInEffect;
import io.meridian.limiter.rules.RulesInEffect.RuleOrigin;
import io.meridian.limiter.rules.RulesInEffect.RulesStatus;
import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.InstanceReport;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Schedule and content of the reports of this instance: every so often, and at once when its rules change. */
final class InstanceReporter {
    private final InstanceIdentity self;
    private final String keyCheck;
    private final RulesInEffect rulesInEffect;
    private final RegionClock clock;
    private final LeaderContact leader;
    private final Supplier<InstanceReport.Checks> checks;
    private final TimeSource time;
    private final Duration interval;
    private long toldNanos;
    private long toldRevision = -1;
    private @Nullable RuleOrigin toldOrigin;

    InstanceReporter(
            InstanceIdentity self,
            String keyCheck,
            RulesInEffect rulesInEffect,
            RegionClock clock,
            LeaderContact leader,
            Supplier<InstanceReport.Checks> checks,
            TimeSource time,
            Duration interval) {
        this.self = self;
        this.keyCheck = keyCheck;
        this.rulesInEffect = rulesInEffect;
        this.clock = clock;
        this.leader = leader;
        this.checks = checks;
        this.time = time;
        this.interval = interval;
    }

    /** The report that is due now, or null. */
    @Nullable InstanceReport due() {
        RulesStatus status = rulesInEffect.status();
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
                leader.loop(),
                keyCheck,
                checks.get(),
                leader.leaders());
    }

    /** Identity of this process among all limiters. */
    record InstanceIdentity(String region, String instance) {
        private static final int HOST_MAX = 64;

        static InstanceIdentity of(LimiterConfig config, TimeSource time) {
            return new InstanceIdentity(config.region(), config.instance().orElseGet(() -> generated(time)));
        }

        /** A host has at most one process of this number that started at this time. */
        static String generated(TimeSource time) {
            String host = System.getenv().getOrDefault("HOSTNAME", "limiter").replaceAll("[^A-Za-z0-9._-]", "_");
            String cut = host.isEmpty() ? "limiter" : host.substring(0, Math.min(host.length(), HOST_MAX));
            String start = Long.toString(time.wallMicros(), Character.MAX_RADIX);
            return cut + "-" + ProcessHandle.current().pid() + "-" + start;
        }

        /** The key of its records: compaction and partitioning keep them together. */
        String key() {
            return region + "/" + instance;
        }

        InstanceIdentity {
            // Refuses at the start what would be refused in every report.
            InstanceReport unused = new InstanceReport(region, instance, 0, "defaults", 0, 0, 0);
        }
    }
}
