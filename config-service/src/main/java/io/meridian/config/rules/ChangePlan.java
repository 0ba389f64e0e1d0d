package io.meridian.config.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.rules.ChangeResult.Effect;
import io.meridian.config.rules.ChangeResult.EntryOutcome;
import io.meridian.config.rules.EntryChange.ChangeRefusedException;
import io.meridian.config.rules.EntryChange.ChangeRefusedException.Reason;
import io.meridian.config.rules.EntryChange.Precondition;
import io.meridian.model.policy.Policy;
import io.meridian.model.rules.LimitOverride;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.rules.Tier;
import io.meridian.model.validation.Validator;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Plan of a set of changes: the outcome of every entry, as one step from the stored rules to the next revision. Pure.
 * References between entries are checked in the resulting rules, so the order within a set does not matter.
 */
final class ChangePlan {
    private final StoredContext context;
    private final long revision;
    private final Instant now;
    private final String author;
    private final Map<RuleEntry.Key, EntryOutcome> outcomes = new LinkedHashMap<>();

    private ChangePlan(StoredContext context, long revision, Instant now, String author) {
        this.context = context;
        this.revision = revision;
        this.now = now;
        this.author = author;
    }

    /** One outcome per change, in their order, then those of entries that change as a consequence. */
    static List<EntryOutcome> of(
            List<EntryChange> changes, StoredContext context, long revision, Instant now, String author) {
        ChangePlan plan = new ChangePlan(context, revision, now, author);
        for (int i = 0; i < changes.size(); i++) {
            plan.apply(changes.get(i), i);
        }
        plan.moveDefault();
        plan.removeOverrides();
        new ReferenceCheck(plan.outcomes, context).check();
        return new ArrayList<>(plan.outcomes.values());
    }

    private void apply(EntryChange change, int index) {
        RuleEntry.Key key = change.key();
        if (outcomes.containsKey(key)) {
            throw Validator.invalid("changes[" + index + "]", EntryKind.id(key), "must not change an entry twice");
        }
        Optional<StoredEntry> before = Optional.ofNullable(context.entries().get(key));
        check(change.condition(), key, before);
        outcomes.put(key, outcome(change, before));
    }

    private EntryOutcome outcome(EntryChange change, Optional<StoredEntry> before) {
        if (change instanceof EntryChange.Put put) {
            return put(put.entry(), before);
        }
        StoredEntry present = before.orElseThrow(() -> missing(change.key()));
        if (change instanceof EntryChange.Patch patch) {
            RuleEntry merged = EntryDocument.read(
                    EntryKind.of(change.key()),
                    MergePatch.apply(EntryDocument.document(present.entry()), patch.patch()));
            new Validator()
                    .require(
                            merged.key().equals(change.key()),
                            "id",
                            EntryKind.id(merged.key()),
                            "must stay " + EntryKind.id(change.key()) + ": what an entry is for is not patched")
                    .throwIfInvalid();
            return put(merged, before);
        }
        return new EntryOutcome(change.key(), Effect.DELETED, before, Optional.empty());
    }

    private EntryOutcome put(RuleEntry entry, Optional<StoredEntry> before) {
        RuleEntry content = EntryDocument.unversioned(entry);
        boolean same = before.map(
                        stored -> EntryDocument.unversioned(stored.entry()).equals(content))
                .orElse(false);
        if (same) {
            return new EntryOutcome(entry.key(), Effect.UNCHANGED, before, before);
        }
        StoredEntry after = EntryDocument.versioned(new StoredEntry(
                content,
                nextVersion(entry.key()),
                before.map(StoredEntry::createdAt).orElse(now),
                now,
                before.map(StoredEntry::createdBy).orElse(Optional.of(author))));
        return new EntryOutcome(
                entry.key(), before.isPresent() ? Effect.REPLACED : Effect.CREATED, before, Optional.of(after));
    }

    private long nextVersion(RuleEntry.Key key) {
        return key instanceof RuleEntry.Key.OfPolicy policy
                ? context.policyVersions().getOrDefault(policy.id(), 0L) + 1
                : revision;
    }

    private static void check(Precondition condition, RuleEntry.Key key, Optional<StoredEntry> before) {
        String id = EntryKind.describe(key);
        if (condition instanceof Precondition.New && before.isPresent()) {
            throw new ChangeRefusedException(Reason.ALREADY_EXISTS, id + " exists already; PUT replaces it", before);
        }
        if (condition instanceof Precondition.Absent && before.isPresent()) {
            throw new ChangeRefusedException(Reason.STALE, id + " exists already", before);
        }
        if (condition instanceof Precondition.Matches matches
                && !before.map(stored -> matches.holds(stored.etag())).orElse(false)) {
            String current =
                    before.map(stored -> "is at version " + stored.version()).orElse("does not exist");
            throw new ChangeRefusedException(Reason.STALE, id + " " + current + ", not at " + matches.etags(), before);
        }
    }

    private static ChangeRefusedException missing(RuleEntry.Key key) {
        return new ChangeRefusedException(Reason.NOT_FOUND, "there is no " + EntryKind.describe(key), Optional.empty());
    }

    /** The former default tier loses the default to a new one. */
    private void moveDefault() {
        long defaults =
                outcomes.values().stream().filter(ChangePlan::isDefaultTier).count();
        if (defaults > 1) {
            throw Validator.invalid("default", defaults, "must be true of one tier only");
        }
        context.defaultTier()
                .filter(former ->
                        defaults == 1 && !outcomes.containsKey(former.entry().key()))
                .ifPresent(former -> {
                    Tier tier = ((RuleEntry.OfTier) former.entry()).tier();
                    RuleEntry plain = new RuleEntry.OfTier(tier.asDefault(false));
                    outcomes.put(plain.key(), put(plain, Optional.of(former)));
                });
    }

    private static boolean isDefaultTier(EntryOutcome outcome) {
        return outcome.after()
                .map(stored -> stored.entry() instanceof RuleEntry.OfTier of
                        && of.tier().isDefault())
                .orElse(false);
    }

    /** Overrides are deleted with their policy. */
    private void removeOverrides() {
        for (StoredEntry override : context.overrides()) {
            RuleEntry.Key key = override.entry().key();
            outcomes.computeIfAbsent(
                    key, absent -> new EntryOutcome(key, Effect.DELETED, Optional.of(override), Optional.empty()));
        }
    }

    /**
     * Check that the entries referred to by changed entries exist in the resulting rules, and that limiters can hold those
     * rules.
     */
    record ReferenceCheck(Map<RuleEntry.Key, EntryOutcome> outcomes, StoredContext context) {
        /** The most policies, and the most tiers, that a limiter accepts. */
        static final long COUNT_MAX = 10_000;

        void check() {
            Validator rules = new Validator();
            for (EntryOutcome outcome : outcomes.values()) {
                outcome.after().ifPresent(stored -> check(rules, stored.entry()));
            }
            checkCount(rules, EntryKind.POLICY);
            checkCount(rules, EntryKind.TIER);
            rules.throwIfInvalid();
            outcomes.values().stream()
                    .filter(outcome -> outcome.effect() == Effect.DELETED)
                    .forEach(this::checkUnused);
        }

        private void check(Validator rules, RuleEntry entry) {
            if (entry instanceof RuleEntry.OfClientTier of) {
                String tier = of.clientTier().tier();
                rules.require(
                        after(new RuleEntry.Key.OfTier(tier)).isPresent(), "tier", tier, "must be a tier that exists");
            }
            if (entry instanceof RuleEntry.OfOverride of) {
                check(rules, of.override());
            }
        }

        private void check(Validator rules, LimitOverride override) {
            Optional<Policy> policy = after(new RuleEntry.Key.OfPolicy(override.policy()))
                    .map(stored -> ((RuleEntry.OfPolicy) stored.entry()).policy());
            rules.require(policy.isPresent(), "policy", override.policy(), "must be a policy that exists");
            policy.ifPresent(of -> rules.require(
                    of.limitSpec().takes(override.limit(), override.burst()),
                    "limit",
                    override.limit() + " with burst " + override.burst(),
                    "must be what the policy can take: "
                            + of.limitSpec().algorithm().text() + " with its costs"));
        }

        private Optional<StoredEntry> after(RuleEntry.Key key) {
            EntryOutcome changed = outcomes.get(key);
            return changed != null
                    ? changed.after()
                    : Optional.ofNullable(context.entries().get(key));
        }

        private void checkCount(Validator rules, EntryKind kind) {
            long created = count(kind, Effect.CREATED);
            long total = context.counts().getOrDefault(kind, 0L) + created - count(kind, Effect.DELETED);
            rules.require(created == 0 || total <= COUNT_MAX, kind.collection(), total, "must be at most " + COUNT_MAX);
        }

        private long count(EntryKind kind, Effect effect) {
            return outcomes.values().stream()
                    .filter(outcome -> outcome.effect() == effect && EntryKind.of(outcome.key()) == kind)
                    .count();
        }

        private void checkUnused(EntryOutcome deleted) {
            if (deleted.key() instanceof RuleEntry.Key.OfTier tier
                    && context.usedTiers().contains(tier.name())) {
                throw new ChangeRefusedException(
                        Reason.IN_USE,
                        "tier " + tier.name() + " still has clients; give them another first",
                        deleted.before());
            }
        }
    }

    /** JSON merge patch (RFC 7396): objects merge, null removes, any other value replaces. */
    static final class MergePatch {
        private MergePatch() {}

        static JsonNode apply(JsonNode target, JsonNode patch) {
            if (!(patch instanceof ObjectNode changes)) {
                return patch;
            }
            ObjectNode merged =
                    target instanceof ObjectNode object ? object.deepCopy() : JsonNodeFactory.instance.objectNode();
            changes.properties().forEach(change -> {
                if (change.getValue().isNull()) {
                    merged.remove(change.getKey());
                } else {
                    JsonNode before = merged.path(change.getKey());
                    merged.set(change.getKey(), apply(before, change.getValue()));
                }
            });
            return merged;
        }
    }
}
