package io.meridian.limiter.redis;

import io.meridian.limiter.redis.RedisIncarnations.StoredIncarnation;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Quota;
import io.meridian.model.algorithm.Window;
import io.meridian.model.counter.WindowAccount.WindowVerdict;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Coordination;
import io.meridian.model.policy.Coordination.AfterHeal;
import io.meridian.model.policy.Coordination.Mode;
import io.meridian.model.policy.Coordination.OnExhausted;
import io.meridian.model.policy.Coordination.Scope;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.Policy;
import io.meridian.model.policy.Policy.Revision;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.usage.WindowRule;
import io.meridian.model.wire.VerdictRecord;
import java.time.Instant;

/** Limits that regions share, and verdicts on them. */
final class SharedLimits {
    private SharedLimits() {}

    static Limit converge(String id, Algorithm algorithm, AfterHeal afterHeal, long version, Quota terms) {
        return limit(id, algorithm, Mode.CONVERGE, afterHeal, version, terms);
    }

    static Limit escrow(String id, long version, Quota terms) {
        return limit(id, Algorithm.FIXED_WINDOW, Mode.ESCROW, AfterHeal.FORGIVE, version, terms);
    }

    private static Limit limit(
            String id, Algorithm algorithm, Mode mode, AfterHeal afterHeal, long version, Quota terms) {
        Policy plain = Policy.of(id, KeySpec.ONE_FOR_ALL, algorithm, 1, Window.Span.ofSeconds(1));
        Policy policy = new Policy(
                plain.id(),
                plain.name(),
                plain.description(),
                plain.appliesTo(),
                plain.key(),
                plain.limitSpec(),
                new Coordination(Scope.GLOBAL, mode, OnExhausted.DENY, afterHeal),
                plain.enforcement(),
                0,
                true,
                new Revision(version, Instant.EPOCH, Instant.EPOCH));
        return new Limit(policy, terms, "k", 1, 1);
    }

    static VerdictRecord record(Limit limit, long startMicros, StoredIncarnation life, WindowVerdict said) {
        WindowRule own = WindowRule.of(limit.policy(), limit.quota().limit());
        Window window = limit.quota().window();
        return new VerdictRecord(
                new LimitWindow(limit.policy().id(), limit.key(), startMicros),
                new RegionIncarnation("here", life.number()),
                said.epoch(),
                said.sequence(),
                new WindowRule(
                        said.version(),
                        said.limit(),
                        window instanceof Window.Span span ? span.micros() : 0,
                        own.sharing(),
                        own.afterHeal()),
                said.usedElsewhere(),
                said.blocked(),
                said.granted(),
                said.keep(),
                0,
                0);
    }
}
