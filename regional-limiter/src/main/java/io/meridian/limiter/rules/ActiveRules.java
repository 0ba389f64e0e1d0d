package io.meridian.limiter.rules;

import io.meridian.limiter.LimiterConfig;
import io.meridian.limiter.rules.RuleSet.RuleSetBuilder;
import io.meridian.limiter.rules.RulesInEffect.RuleOrigin;
import io.meridian.limiter.rules.RulesInEffect.RulesStatus;
import io.meridian.model.time.TimeSource;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jboss.logging.Logger;

/**
 * Rules in effect, replaced as a whole by their source. A singleton rather than a scoped bean: every check asks it, and needs no
 * proxy in between.
 */
@Singleton
public class ActiveRules implements RulesInEffect {
    private static final Logger LOG = Logger.getLogger(ActiveRules.class);

    private final String region;
    private final TimeSource time;
    private final Refusals refusals = new Refusals();
    private volatile InEffect inEffect;

    @Inject
    public ActiveRules(LimiterConfig config) {
        this(config.region(), TimeSource.system());
    }

    public ActiveRules(String region, TimeSource time) {
        this.region = region;
        this.time = time;
        this.inEffect = new InEffect(
                CompiledRules.compile(new RuleSetBuilder().publish(), region, null),
                RuleOrigin.DEFAULTS,
                false,
                time.wallMicros(),
                time.wallMicros(),
                RulesStatus.NO_REVISION);
    }

    @Override
    public RegionRules current() {
        return inEffect.compiled;
    }

    /** The rules in effect. */
    public RuleSet rules() {
        return inEffect.compiled.rules();
    }

    /** Puts rules into effect that their source confirms now. */
    public void replace(RuleSet rules, RuleOrigin origin, boolean intended) {
        replace(rules, origin, intended, time.wallMicros(), RulesStatus.NO_REVISION);
    }

    /** Puts rules into effect that the topic has had since this revision, and confirms now. */
    public void replaceByTopic(RuleSet rules, long revision) {
        replace(rules, RuleOrigin.TOPIC, true, time.wallMicros(), revision);
    }

    /** Puts rules into effect that their source last confirmed then. */
    public synchronized void replace(
            RuleSet rules, RuleOrigin origin, boolean intended, long confirmedMicros, long revision) {
        InEffect before = inEffect;
        CompiledRules compiled = CompiledRules.compile(rules, region, before.compiled);
        inEffect = new InEffect(compiled, origin, intended, time.wallMicros(), confirmedMicros, revision);
        Map<String, Long> unfit = compiled.unfitOverrides();
        if (!unfit.equals(before.compiled.unfitOverrides())) {
            LOG.warnf("overrides that their policy cannot take are not applied: number by policy=%s", unfit);
        }
        if (origin != before.origin) {
            LOG.infof(
                    "rules in effect: origin=%s, policies=%d, client entries=%d",
                    origin.text(), compiled.policies(), rules.clientEntries());
        }
    }

    /** The source says that what is in effect is still what it says. */
    public synchronized void confirm(RuleOrigin origin) {
        InEffect now = inEffect;
        if (now.origin == origin) {
            inEffect = new InEffect(
                    now.compiled, now.origin, now.intended, now.changedMicros, time.wallMicros(), now.revision);
        }
    }

    /** A record that is skipped. */
    public void skipped(String kind, String reason) {
        refusals.skipped(kind, reason);
    }

    /** Something whole that is not taken. */
    public void refused(String kind, String reason) {
        refusals.refused(kind, reason);
    }

    @Override
    public RulesStatus status() {
        InEffect now = inEffect;
        boolean builtInByChoice = now.origin == RuleOrigin.DEFAULTS && now.intended;
        return new RulesStatus(
                now.origin,
                now.intended,
                now.changedMicros,
                builtInByChoice ? time.wallMicros() : now.confirmedMicros,
                now.revision,
                now.compiled.policies(),
                now.compiled.rules().clientEntries(),
                refusals.counts(),
                now.compiled.unfitOverrides().values().stream()
                        .mapToLong(Long::longValue)
                        .sum());
    }

    private record InEffect(
            CompiledRules compiled,
            RuleOrigin origin,
            boolean intended,
            long changedMicros,
            long confirmedMicros,
            long revision) {}

    /** Counts of what was not taken, by kind; of records the first of each kind is logged. */
    static final class Refusals {
        private static final Logger LOG = Logger.getLogger(Refusals.class);

        private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

        /** A record that is skipped. A topic may hold a million of one sort, so that only the first is told. */
        public void skipped(String kind, String reason) {
            if (count(kind) == 1) {
                LOG.warnf(
                        "skipped a record: kind=%s, reason=%s; further ones of this kind are only counted",
                        kind, reason);
            }
        }

        /** Something whole that is not taken: each is told. */
        public void refused(String kind, String reason) {
            count(kind);
            LOG.errorf("refused; the rules in effect stay: kind=%s, reason=%s", kind, reason);
        }

        Map<String, Long> counts() {
            Map<String, Long> sums = new TreeMap<>();
            counts.forEach((kind, count) -> sums.put(kind, count.sum()));
            return sums;
        }

        private long count(String kind) {
            LongAdder count = counts.computeIfAbsent(kind, k -> new LongAdder());
            count.increment();
            return count.sum();
        }
    }
}
