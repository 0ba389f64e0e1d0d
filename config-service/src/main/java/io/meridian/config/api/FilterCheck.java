package io.meridian.config.api;

import io.meridian.config.audit.AuditTrail;
import io.meridian.config.database.DatabaseUnavailableException;
import io.meridian.config.history.UsageQueries;
import io.meridian.config.regions.KnownRegions;
import io.meridian.config.rules.EntryKind;
import io.meridian.config.rules.EntryQueries;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.rules.Tier;
import io.meridian.model.validation.Validator;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Check of filters by unknown names, which are refused because an empty answer would hide the mistake. Names are looked up only
 * where nothing was found, so that a name with rows is never refused.
 */
@Singleton
class FilterCheck {
    private static final String POLICY = "policy";
    private static final String REGION = "region";
    private static final String TIER = "tier";

    private final EntryQueries entries;
    private final UsageQueries history;
    private final KnownRegions regions;

    FilterCheck(EntryQueries entries, UsageQueries history, KnownRegions regions) {
        this.entries = entries;
        this.history = history;
        this.regions = regions;
    }

    /** Refuses unknown policies, regions and tiers; for empty answers. */
    void requireKnown(Query query) {
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

    /** Refuses unknown actions and kinds; for empty answers from the audit trail. */
    static void requireKnownInAudit(Query query) {
        query.text("action")
                .filter(action -> !AuditTrail.ACTIONS.contains(action))
                .ifPresent(action -> {
                    throw unknown("action", action, "must be one of " + String.join(", ", AuditTrail.ACTIONS));
                });
        Set<String> kinds = Set.copyOf(
                Stream.concat(Arrays.stream(EntryKind.values()).map(EntryKind::label), AuditTrail.OTHER_KINDS.stream())
                        .toList());
        query.text("kind").filter(kind -> !kinds.contains(kind)).ifPresent(kind -> {
            throw unknown(
                    "kind",
                    kind,
                    "must be one of "
                            + String.join(", ", kinds.stream().sorted().toList()));
        });
    }

    /** While PostgreSQL is unavailable every policy counts as known. */
    private boolean isPolicy(String name) {
        try {
            return history.isKnown(name);
        } catch (DatabaseUnavailableException unavailable) {
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
        return Refusal.of(AdminErrorCode.INVALID, name, value, rule);
    }
}
