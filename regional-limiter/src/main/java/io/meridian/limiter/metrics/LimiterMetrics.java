package io.meridian.limiter.metrics;

import io.meridian.limiter.metrics.CallerMetrics.AccessMetrics;
import io.meridian.limiter.metrics.DeliveryMetrics.DecisionLogMetrics;
import io.meridian.limiter.metrics.DeliveryMetrics.OperationMetrics;
import io.meridian.limiter.metrics.DeliveryMetrics.ViolationMetrics;
import io.meridian.model.time.TimeSource;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * All metrics of a limiter, by subject, and all their names. Tags are bounded: enums, the names of the tokens in effect, and at
 * most {@link PolicyMetrics#POLICIES_MAX} policy ids; never a key or a client. Durations are histograms, so that instances add up.
 */
@Singleton
public final class LimiterMetrics {
    private static final String PREFIX = "meridian.limiter.";

    static final String CHECKS = "meridian.limiter.checks";
    static final String CHECK_DURATION = "meridian.limiter.check.duration";
    static final String DEGRADED = "meridian.limiter.degraded";
    static final String DEGRADED_TIME = "meridian.limiter.degraded.time";
    static final String DEGRADED_NOW = "meridian.limiter.degraded.now";
    static final String DECISIONS = "meridian.limiter.decisions";
    static final String DECIDED_BY = "meridian.limiter.decided.by";
    static final String REDIS_CALLS = "meridian.limiter.redis.calls";
    static final String REDIS_REQUESTS = "meridian.limiter.redis.requests";
    static final String REDIS_DURATION = "meridian.limiter.redis.duration";
    static final String REDIS_FAILURES = "meridian.limiter.redis.failures";
    static final String BREAKER_STATE = "meridian.limiter.redis.breaker.state";
    static final String CLOCK_OFFSET = "meridian.limiter.redis.clock.offset";
    static final String FALLBACK_ENTRIES = "meridian.limiter.fallback.entries";
    static final String FALLBACK_OWED = "meridian.limiter.fallback.owed";
    static final String OWED_SETTLED = "meridian.limiter.fallback.settled";
    static final String LEASES_HELD = "meridian.limiter.leases.held";
    static final String LEASE_ACQUIRED = "meridian.limiter.leases.acquired";
    static final String LEASE_RETURNED = "meridian.limiter.leases.returned";
    static final String LEASE_SPENT = "meridian.limiter.leases.spent";
    static final String DENIED_FROM_MEMORY = "meridian.limiter.leases.denied";
    static final String GRANT_WAITS = "meridian.limiter.grant.waits";
    static final String VIOLATIONS_SENT = "meridian.limiter.violations.sent";
    static final String VIOLATIONS_RECORDS = "meridian.limiter.violations.records";
    static final String VIOLATIONS_DROPPED = "meridian.limiter.violations.dropped";
    static final String DECISION_LOG_WRITTEN = "meridian.limiter.decision.log.written";
    static final String DECISION_LOG_DROPPED = "meridian.limiter.decision.log.dropped";
    static final String LOAD = "meridian.limiter.load.percent";
    static final String RULES_SOURCE = "meridian.limiter.rules.source";
    static final String ESCROW_REFUSED = "meridian.limiter.rules.escrow.refused";
    static final String RULES_AGE = "meridian.limiter.rules.age";
    static final String RULES_REVISION = "meridian.limiter.rules.revision";
    static final String RULES_POLICIES = "meridian.limiter.rules.policies";

    static final String KEYS_ENDLESS = "meridian.limiter.redis.keys.endless";
    static final String ACCOUNTS_DROPPED = "meridian.limiter.redis.accounts.dropped";
    static final String REPLICA_COMPARED = "meridian.limiter.redis.replica.compared";
    static final String REPLICA_DRIFTED = "meridian.limiter.redis.replica.drifted";
    static final String REPLICA_INCOMPARABLE = "meridian.limiter.redis.replica.incomparable";
    static final String USAGE_REPORTED = "meridian.limiter.usage.reported";
    static final String USAGE_DROPPED = "meridian.limiter.usage.dropped";
    static final String REGIONAL_LIMITS = "meridian.limiter.usage.regional.limits";
    static final String REGIONAL_REPORTED = "meridian.limiter.usage.regional.reported";
    static final String USAGE_FAILED = "meridian.limiter.usage.failed";
    static final String VERDICTS_RECEIVED = "meridian.limiter.verdicts.received";
    static final String INCARNATION_CHANGES = "meridian.limiter.region.incarnation.changes";
    static final String LOOP_DELAY = "meridian.limiter.loop.delay";
    static final String STALENESS = "meridian.limiter.staleness";
    static final String CENTRE_SILENT = "meridian.limiter.centre.silent";
    static final String CALLER_TOKENS = "meridian.limiter.caller.tokens";
    static final String JWKS_READ = "meridian.limiter.jwks.read";
    static final String JWKS_FAILED = "meridian.limiter.jwks.failed";
    static final String BOUND_EXCESS = "meridian.limiter.bound.excess";
    static final String CALLS_REFUSED = "meridian.limiter.calls.refused";
    static final String TOKENS = "meridian.limiter.tokens";
    static final String TOKENS_REFUSED = "meridian.limiter.tokens.refused";
    static final String OPERATIONS_SENT = "meridian.limiter.operations.sent";
    static final String OPERATIONS_DROPPED = "meridian.limiter.operations.dropped";

    private final CheckMetrics checks;
    private final PolicyMetrics policies;
    private final RedisMetrics redis;
    private final LeaseMetrics leases;
    private final FallbackMetrics fallback;
    private final ViolationMetrics violations;
    private final DecisionLogMetrics decisionLog;
    private final LoadMetrics load;
    private final RulesMetrics rules;
    private final UsageMetrics usage;
    private final CallerMetrics callers;
    private final AccessMetrics access;
    private final OperationMetrics operations;

    @Inject
    public LimiterMetrics(MeterRegistry registry) {
        this(registry, TimeSource.system());
    }

    public LimiterMetrics(MeterRegistry registry, TimeSource time) {
        forgetFormerLife(registry);
        checks = new CheckMetrics(registry, time);
        policies = new PolicyMetrics(registry);
        redis = new RedisMetrics(registry);
        leases = new LeaseMetrics(registry);
        fallback = new FallbackMetrics(registry);
        violations = new ViolationMetrics(registry);
        decisionLog = new DecisionLogMetrics(registry);
        load = new LoadMetrics(registry);
        usage = new UsageMetrics(registry);
        callers = new CallerMetrics(registry);
        access = new AccessMetrics(registry);
        operations = new OperationMetrics(registry);
        rules = new RulesMetrics(registry, time, policies::forgetPolicies);
    }

    /** Started again in the same process, as tests do, it would find its old meters, and they would hide the new ones. */
    private static void forgetFormerLife(MeterRegistry registry) {
        registry.getMeters().stream()
                .filter(meter -> meter.getId().getName().startsWith(PREFIX))
                .forEach(registry::remove);
    }

    public CheckMetrics checks() {
        return checks;
    }

    public PolicyMetrics policies() {
        return policies;
    }

    public RedisMetrics redis() {
        return redis;
    }

    public LeaseMetrics leases() {
        return leases;
    }

    public FallbackMetrics fallback() {
        return fallback;
    }

    public ViolationMetrics violations() {
        return violations;
    }

    public DecisionLogMetrics decisionLog() {
        return decisionLog;
    }

    public LoadMetrics load() {
        return load;
    }

    public UsageMetrics usage() {
        return usage;
    }

    public CallerMetrics callers() {
        return callers;
    }

    public AccessMetrics access() {
        return access;
    }

    public OperationMetrics operations() {
        return operations;
    }

    public RulesMetrics rules() {
        return rules;
    }

    /** Timers as histograms with fixed buckets, which add up over instances as percentiles do not. */
    static final class Durations {
        /** The bounds of the promised figures, 1 ms and 10 ms, are among them. */
        private static final Duration[] BUCKETS = {
            Duration.ofNanos(100_000),
            Duration.ofNanos(250_000),
            Duration.ofNanos(500_000),
            Duration.ofMillis(1),
            Duration.ofNanos(2_500_000),
            Duration.ofMillis(5),
            Duration.ofMillis(10),
            Duration.ofMillis(25),
            Duration.ofMillis(50),
            Duration.ofMillis(100),
            Duration.ofMillis(250),
            Duration.ofMillis(500),
            Duration.ofSeconds(1)
        };

        /** For what crosses regions: up to a cut of a minute. */
        private static final Duration[] SLOW_BUCKETS = {
            Duration.ofMillis(10),
            Duration.ofMillis(25),
            Duration.ofMillis(50),
            Duration.ofMillis(100),
            Duration.ofMillis(150),
            Duration.ofMillis(250),
            Duration.ofMillis(500),
            Duration.ofSeconds(1),
            Duration.ofMillis(2_500),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofMinutes(1)
        };

        private Durations() {}

        static Timer timer(MeterRegistry registry, String name, String help) {
            return timer(registry, name, help, BUCKETS);
        }

        static Timer slowTimer(MeterRegistry registry, String name, String help) {
            return timer(registry, name, help, SLOW_BUCKETS);
        }

        private static Timer timer(MeterRegistry registry, String name, String help, Duration... buckets) {
            return Timer.builder(name)
                    .description(help)
                    .serviceLevelObjectives(buckets)
                    .register(registry);
        }
    }

    /** Meter of the load that adaptive limits follow. */
    public static final class LoadMetrics {
        private final MeterRegistry registry;

        LoadMetrics(MeterRegistry registry) {
            this.registry = registry;
        }

        /** Where to read the load in percent; to be told once. */
        public void percent(Supplier<Optional<Integer>> load) {
            Gauge.builder(
                            LimiterMetrics.LOAD,
                            () -> load.get().map(Integer::doubleValue).orElse(Double.NaN))
                    .description("Load that adaptive limits follow, in percent; NaN while none is known")
                    .register(registry);
        }
    }
}
