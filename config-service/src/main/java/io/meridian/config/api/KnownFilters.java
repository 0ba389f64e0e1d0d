package io.meridian.config.api;

import io.meridian.config.history.History;
import io.meridian.config.regions.KnownRegions;
import io.meridian.config.rulebook.Audit;
import io.meridian.config.rulebook.Entries;
import io.meridian.config.rulebook.Kind;
import io.meridian.config.store.DatabaseAway;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.rules.Tier;
import io.meridian.model.validation.Validator;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Filters by names that nothing has: refused, because an answer with nothing in it would pass for one about the thing that was
 * meant. They are looked up only where nothing was found, so what has rows is never refused.
 */
@Singleton
class KnownFilters {
    private static final String POLICY = "policy";
    private static final String REGION = "region";
    private static final String TIER = "tier";

    private final Entries entries;
    private final History history;
    private final KnownRegions regions;

    KnownFilters(Entries entries, History history, KnownRegions regions) {
        this.entries = entries;
        this.history = history;
        this.regions = regions;
    }

    /** For an answer about policies, regions and tiers in which there is nothing. */
    void foundNothing(Query query) {
        query.text(POLICY).filter(name -> !isPolicy(name)).ifPresent(name -> {
            throw unknown(POLICY, name, "must be the id of a policy that there is or was");
        });
        Set<String> known = regions.names();
        query.text(REGION)
                .filter(name -> !known.isEmpty() && !known.contains(name))
                .ifPresent(name -> {
                    throw unknown(REGION, name, "must be a region that exists: one of " + String.join(", ", known));
                });
        query.text(TIER).filter(name -> !isTier(name)).ifPresent(name -> {
            throw unknown(TIER, name, "must be a tier that exists");
        });
    }

    /** For an answer from the audit trail in which there is nothing. */
    static void foundNoAudit(Query query) {
        query.text("action").filter(action -> !Audit.ACTIONS.contains(action)).ifPresent(action -> {
            throw unknown("action", action, "must be one of " + String.join(", ", Audit.ACTIONS));
        });
        Set<String> kinds =
                Set.copyOf(Stream.concat(Arrays.stream(Kind.values()).map(Kind::label), Audit.OTHER_KINDS.stream())
                        .toList());
        query.text("kind").filter(kind -> !kinds.contains(kind)).ifPresent(kind -> {
            throw unknown(
                    "kind",
                    kind,
                    "must be one of "
                            + String.join(", ", kinds.stream().sorted().toList()));
        });
    }

    /** While PostgreSQL is away nobody can say. */
    private boolean isPolicy(String name) {
        try {
            return history.knows(name);
        } catch (DatabaseAway away) {
            return true;
        }
    }

    private boolean isTier(String name) {
        Validator rules = new Validator();
        Tier.checkName(rules, TIER, name);
        rules.throwIfInvalid();
        return entries.find(new RuleEntry.Key.OfTier(name)).entry().isPresent();
    }

    private static Refusal unknown(String name, String value, String rule) {
        return Refusal.of(ErrorCode.INVALID, name, value, rule);
    }
}
