package io.meridian.limiter.policy;

import io.meridian.limiter.LimiterConfig;
import io.meridian.model.time.TimeSource;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Map;
import org.jboss.logging.Logger;

/**
 * The rulebook in effect, swapped whole by the sources. A singleton rather than a scoped bean: every check asks it, and
 * needs no proxy in between.
 */
@Singleton
public class LiveRulebooks implements Rulebooks {
    private static final Logger LOG = Logger.getLogger(LiveRulebooks.class);

    private final String region;
    private final TimeSource time;
    private final Refusals refusals = new Refusals();
    private volatile InEffect inEffect;

    @Inject
    LiveRulebooks(LimiterConfig config) {
        this(config.region(), TimeSource.system());
    }

    public LiveRulebooks(String region, TimeSource time) {
        this.region = region;
        this.time = time;
        this.inEffect = new InEffect(
                CompiledRulebook.compile(new RuleSetBuilder().publish(), region, null),
                RuleOrigin.DEFAULTS,
                false,
                time.wallMicros(),
                time.wallMicros(),
                RulebookStatus.NO_REVISION);
    }

    @Override
    public Rulebook current() {
        return inEffect.rulebook;
    }

    /** The rules in effect. */
    public RuleSet rules() {
        return inEffect.rulebook.rules();
    }

    /** Puts rules into effect that their source confirms now. */
    public void replace(RuleSet rules, RuleOrigin origin, boolean intended) {
        replace(rules, origin, intended, time.wallMicros(), RulebookStatus.NO_REVISION);
    }

    /** Puts rules into effect that the topic has had since this revision, and confirms now. */
    public void replaceByTopic(RuleSet rules, long revision) {
        replace(rules, RuleOrigin.TOPIC, true, time.wallMicros(), revision);
    }

    /** Puts rules into effect that their source last confirmed then. */
    public synchronized void replace(
            RuleSet rules, RuleOrigin origin, boolean intended, long confirmedMicros, long revision) {
        InEffect before = inEffect;
        CompiledRulebook rulebook = CompiledRulebook.compile(rules, region, before.rulebook);
        inEffect = new InEffect(rulebook, origin, intended, time.wallMicros(), confirmedMicros, revision);
        Map<String, Long> unfit = rulebook.unfitOverrides();
        if (!unfit.equals(before.rulebook.unfitOverrides())) {
            LOG.warnf("overrides that their policy cannot take are not applied: number by policy=%s", unfit);
        }
        if (origin != before.origin) {
            LOG.infof(
                    "rulebook in effect: origin=%s, policies=%d, client entries=%d",
                    origin.text(), rulebook.policies(), rules.clientEntries());
        }
    }

    /** The source says that what is in effect is still what it says. */
    public synchronized void confirm(RuleOrigin origin) {
        InEffect now = inEffect;
        if (now.origin == origin) {
            inEffect = new InEffect(
                    now.rulebook, now.origin, now.intended, now.changedMicros, time.wallMicros(), now.revision);
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
    public RulebookStatus status() {
        InEffect now = inEffect;
        boolean builtInByChoice = now.origin == RuleOrigin.DEFAULTS && now.intended;
        return new RulebookStatus(
                now.origin,
                now.intended,
                now.changedMicros,
                builtInByChoice ? time.wallMicros() : now.confirmedMicros,
                now.revision,
                now.rulebook.policies(),
                now.rulebook.rules().clientEntries(),
                refusals.counts(),
                now.rulebook.unfitOverrides().values().stream()
                        .mapToLong(Long::longValue)
                        .sum());
    }

    private record InEffect(
            CompiledRulebook rulebook,
            RuleOrigin origin,
            boolean intended,
            long changedMicros,
            long confirmedMicros,
            long revision) {}
}
