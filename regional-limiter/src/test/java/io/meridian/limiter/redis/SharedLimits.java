package io.meridian.limiter.redis;

import io.meridian.limiter.redis.RedisIncarnations.StoredIncarnation;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Terms;
import io.meridian.model.algorithm.Window;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.AfterHeal;
import io.meridian.model.policy.Coordination;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.Mode;
import io.meridian.model.policy.OnExhausted;
import io.meridian.model.policy.Policy;
import io.meridian.model.policy.Revision;
import io.meridian.model.policy.Scope;
import io.meridian.model.share.Verdict;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionLife;
import io.meridian.model.usage.WindowRule;
import io.meridian.model.wire.VerdictRecord;
import java.time.Instant;

/** Limits that regions share, and verdicts on them. */
final class SharedLimits {
    private SharedLimits() {}

    static Limit converge(String id, Algorithm algorithm, AfterHeal afterHeal, long version, Terms terms) {
        return limit(id, algorithm, Mode.CONVERGE, afterHeal, version, terms);
    }

    static Limit escrow(String id, long version, Terms terms) {
        return limit(id, Algorithm.FIXED_WINDOW, Mode.ESCROW, AfterHeal.FORGIVE, version, terms);
    }

    private static Limit limit(
            String id, Algorithm algorithm, Mode mode, AfterHeal afterHeal, long version, Terms terms) {
        Policy plain = Policy.of(id, KeySpec.ONE_FOR_ALL, algorithm, 1, Window.Span.ofSeconds(1));
        Policy policy = new Policy(
                plain.id(),
                plain.name(),
                plain.description(),
                plain.appliesTo(),
                plain.key(),
                plain.counting(),
                new Coordination(Scope.GLOBAL, mode, OnExhausted.DENY, afterHeal),
                plain.enforcement(),
                0,
                true,
                new Revision(version, Instant.EPOCH, Instant.EPOCH));
        return new Limit(policy, terms, "k", 1, 1);
    }

    static VerdictRecord record(Limit limit, long startMicros, StoredIncarnation life, Verdict said) {
        WindowRule own = WindowRule.of(limit.policy(), limit.terms().limit());
        Window window = limit.terms().window();
        return new VerdictRecord(
                new LimitWindow(limit.policy().id(), limit.key(), startMicros),
                new RegionLife("here", life.number()),
                said.epoch(),
                said.sequence(),
                new WindowRule(
                        said.version(),
                        said.limit(),
                        window instanceof Window.Span span ? span.micros() : 0,
                        own.sharing(),
                        own.afterHeal()),
                said.elsewhere(),
                said.blocked(),
                said.granted(),
                said.keep(),
                0,
                0);
    }
}
