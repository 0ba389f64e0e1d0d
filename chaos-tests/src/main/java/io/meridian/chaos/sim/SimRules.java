package io.meridian.chaos.sim;

import io.meridian.limiter.policy.Rulebook;
import io.meridian.limiter.policy.RulebookStatus;
import io.meridian.limiter.policy.Rulebooks;
import io.meridian.model.match.Check;
import io.meridian.model.match.Limit;
import io.meridian.model.match.PolicyIndex;
import io.meridian.model.policy.Policy;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The rules as one instance knows them. */
final class SimRules implements Rulebooks {
    private final String region;
    private Rules current;

    SimRules(String region, Collection<Policy> policies) {
        this.region = region;
        this.current = Rules.of(policies, region);
    }

    void learn(Collection<Policy> policies) {
        current = Rules.of(policies, region);
    }

    @Override
    public Rulebook current() {
        return current;
    }

    @Override
    public RulebookStatus status() {
        throw new UnsupportedOperationException("nobody asks");
    }

    private record Rules(PolicyIndex snapshot, Map<String, Policy> byId) implements Rulebook {
        static Rules of(Collection<Policy> policies, String region) {
            return new Rules(
                    PolicyIndex.compile(policies, region),
                    policies.stream().collect(Collectors.toMap(Policy::id, Function.identity())));
        }

        @Override
        public Listing listing(Check check, long nowMicros) {
            return new Listing.Unlisted();
        }

        @Override
        public List<Limit> limits(Check check, Optional<Integer> loadPercent, long nowMicros) {
            return snapshot.match(check);
        }

        @Override
        public List<Limit> clientLimits(
                Check client, boolean endpointKnown, Optional<Integer> loadPercent, long nowMicros) {
            return snapshot.ofClient(client, endpointKnown);
        }

        @Override
        public Optional<String> tier(Check client, long nowMicros) {
            return Optional.empty();
        }

        @Override
        public Optional<Policy> policy(String id) {
            return Optional.ofNullable(byId.get(id));
        }
    }
}
