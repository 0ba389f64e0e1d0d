package io.meridian.sync.aggregate;

import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Quota;
import io.meridian.model.algorithm.Window;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Coordination;
import io.meridian.model.policy.Coordination.AfterHeal;
import io.meridian.model.policy.Coordination.Mode;
import io.meridian.model.policy.Coordination.OnExhausted;
import io.meridian.model.policy.Coordination.Scope;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.Policy;
import io.meridian.model.policy.Policy.Revision;
import java.time.Instant;

/** Limits that regions share: in escrow in windows of a minute, or converging in windows of a month. */
final class SharedLimit {
    static final String KEY = "k";

    private SharedLimit() {}

    static Limit escrow(String id, long version, long limit) {
        return limit(id, Mode.ESCROW, version, limit, Window.parse("60s"));
    }

    static Limit converge(String id, long version, long limit) {
        return limit(id, Mode.CONVERGE, version, limit, Window.parse("month"));
    }

    private static Limit limit(String id, Mode mode, long version, long limit, Window window) {
        Policy plain = Policy.of(id, KeySpec.ONE_FOR_ALL, Algorithm.FIXED_WINDOW, limit, window);
        Policy policy = new Policy(
                plain.id(),
                plain.name(),
                plain.description(),
                plain.appliesTo(),
                plain.key(),
                plain.limitSpec(),
                new Coordination(Scope.GLOBAL, mode, OnExhausted.DENY, AfterHeal.FORGIVE),
                plain.enforcement(),
                0,
                true,
                new Revision(version, Instant.EPOCH, Instant.EPOCH));
        return new Limit(policy, Quota.of(limit, 0, window), KEY, 1, 1);
    }
}
