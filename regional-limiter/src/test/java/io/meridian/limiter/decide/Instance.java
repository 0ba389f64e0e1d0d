package io.meridian.limiter.decide;

import io.meridian.limiter.LimiterConfig.LeaseConfig;
import io.meridian.limiter.decide.DecisionRecorder.DecisionLog;
import io.meridian.limiter.lease.GrantWaits;
import io.meridian.limiter.lease.LeaseTable;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.limiter.operations.CounterOperations;
import io.meridian.limiter.region.Ports.Fallback;
import io.meridian.limiter.region.Ports.LeaderContact;
import io.meridian.limiter.region.Ports.UsageAccounts;
import io.meridian.limiter.region.Ports.ViolationSink;
import io.meridian.limiter.region.RegionClock;
import io.meridian.limiter.rules.RegionRules;
import io.meridian.limiter.rules.RulesInEffect;
import io.meridian.limiter.rules.RulesInEffect.RulesStatus;
import io.meridian.model.counter.CounterReply;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.decision.Decision;
import io.meridian.model.match.Check;
import io.meridian.model.match.Limit;
import io.meridian.model.match.PolicyIndex;
import io.meridian.model.policy.Policy;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One limiter instance without its outside: the decider and its leases on a region the test holds. */
public final class Instance {
    public final LeaseTable leases;
    public final CheckDecider decider;
    public final ClientLeaseDecider clientLeases;
    public final CounterOperations amendments;
    private final MemoryRegion region;
    private PolicyIndex policies;

    public Instance(MemoryRegion region, Policy... policies) {
        this.region = region;
        this.policies = PolicyIndex.compile(List.of(policies), "us-east");
        LimiterMetrics metrics = new LimiterMetrics(new SimpleMeterRegistry());
        this.leases = new LeaseTable(new Leases(), metrics);
        RegionClock clock = new RegionClock(region.time);
        GrantWaits grants = new GrantWaits((millis, task) -> {}, LeaderContact.NONE, new Leases(), metrics);
        DecisionRecorder recorder = new DecisionRecorder(
                metrics, ViolationSink.NONE, DecisionLog.NONE, UsageAccounts.NONE, LeaderContact.NONE, region.time);
        this.decider = new CheckDecider(
                new Books(),
                leases,
                region,
                new NoFallback(),
                clock,
                Optional::empty,
                LeaderContact.NONE,
                grants,
                recorder);
        this.clientLeases = new ClientLeaseDecider(
                new Books(),
                leases,
                region,
                clock,
                Optional::empty,
                LeaderContact.NONE,
                UsageAccounts.NONE,
                grants,
                decider,
                recorder);
        this.amendments = new CounterOperations(
                new Books(), leases, region, new NoFallback(), clock, Optional::empty, UsageAccounts.NONE);
    }

    void policies(Policy... changed) {
        policies = PolicyIndex.compile(List.of(changed), "us-east");
    }

    public CheckResult check(Map<String, String> attributes, long cost) {
        Check check = new Check(attributes, "/", "GET", Map.of(), "", cost);
        return decider.check(check).toCompletableFuture().join();
    }

    public boolean admits(Map<String, String> attributes, long cost) {
        return check(attributes, cost) instanceof CheckResult.Decided decided
                && decided.decision() instanceof Decision.Allowed;
    }

    void release(boolean atOnce) {
        leases.release(region.time.wallMicros(), atOnce).forEach(rest -> region.ask(List.of(rest)));
    }

    private final class Books implements RulesInEffect {
        @Override
        public RegionRules current() {
            return new Rules();
        }

        @Override
        public RulesStatus status() {
            throw new IllegalStateException("nobody asks");
        }
    }

    private final class Rules implements RegionRules {
        @Override
        public Listing listing(Check check, long nowMicros) {
            return new Listing.Unlisted();
        }

        @Override
        public Optional<String> tier(Check client, long nowMicros) {
            return Optional.empty();
        }

        @Override
        public Optional<Policy> policy(String id) {
            return Optional.empty();
        }

        @Override
        public List<Limit> limits(Check check, Optional<Integer> loadPercent, long nowMicros) {
            return policies.match(check);
        }

        @Override
        public List<Limit> clientLimits(
                Check client, boolean endpointKnown, Optional<Integer> loadPercent, long nowMicros) {
            return policies.ofClient(client, endpointKnown);
        }
    }

    public record Leases() implements LeaseConfig {
        @Override
        public Duration horizonMax() {
            return Duration.ofSeconds(2);
        }

        @Override
        public Duration memory() {
            return Duration.ofSeconds(1);
        }

        @Override
        public int tableSize() {
            return 1_000;
        }

        @Override
        public Duration grantWait() {
            return Duration.ofMillis(1);
        }

        @Override
        public Duration releaseEvery() {
            return Duration.ofMillis(100);
        }
    }

    private record NoFallback() implements Fallback {
        @Override
        public List<CounterReply> answer(List<CounterRequest> group, long nowMicros) {
            throw new IllegalStateException("the region is there");
        }

        @Override
        public List<CounterRequest.Charge> pendingCharges(int max) {
            return List.of();
        }

        @Override
        public void returnCharge(CounterRequest.Charge settle) {
            throw new IllegalStateException("the region is there");
        }
    }
}
