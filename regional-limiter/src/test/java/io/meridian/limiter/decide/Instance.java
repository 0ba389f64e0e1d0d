package io.meridian.limiter.decide;

import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.limiter.policy.Rulebook;
import io.meridian.limiter.policy.RulebookStatus;
import io.meridian.limiter.policy.Rulebooks;
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
final class Instance {
    final LeaseTable leases;
    final Decider decider;
    final Amendments amendments;
    private final MemoryRegion region;
    private PolicyIndex policies;

    Instance(MemoryRegion region, Policy... policies) {
        this.region = region;
        this.policies = PolicyIndex.compile(List.of(policies), "us-east");
        LimiterMetrics metrics = new LimiterMetrics(new SimpleMeterRegistry());
        this.leases = new LeaseTable(new Leases(), metrics);
        RegionClock clock = new RegionClock(region.time);
        this.decider = new Decider(
                new Books(),
                leases,
                region,
                new NoFallback(),
                clock,
                Optional::empty,
                Centre.NONE,
                new GrantWaits((millis, task) -> {}, Centre.NONE, new Leases(), metrics),
                new Aftermath(metrics, Violations.UNTOLD, DecisionLog.NONE, Usage.UNTOLD, Centre.NONE, region.time));
        this.amendments =
                new Amendments(new Books(), leases, region, new NoFallback(), clock, Optional::empty, Usage.UNTOLD);
    }

    void policies(Policy... changed) {
        policies = PolicyIndex.compile(List.of(changed), "us-east");
    }

    Ruling check(Map<String, String> attributes, long cost) {
        Check check = new Check(attributes, "/", "GET", Map.of(), "", cost);
        return decider.check(check).toCompletableFuture().join();
    }

    boolean admits(Map<String, String> attributes, long cost) {
        return check(attributes, cost) instanceof Ruling.Decided decided
                && decided.decision() instanceof Decision.Allowed;
    }

    void release(boolean atOnce) {
        leases.release(region.time.wallMicros(), atOnce).forEach(rest -> region.ask(List.of(rest)));
    }

    private final class Books implements Rulebooks {
        @Override
        public Rulebook current() {
            return new Rules();
        }

        @Override
        public RulebookStatus status() {
            throw new IllegalStateException("nobody asks");
        }
    }

    private final class Rules implements Rulebook {
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

    record Leases() implements LeaseConfig {
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
        public List<CounterRequest.Charge> owed(int max) {
            return List.of();
        }

        @Override
        public void owe(CounterRequest.Charge settle) {
            throw new IllegalStateException("the region is there");
        }
    }
}
