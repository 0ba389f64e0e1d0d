package io.meridian.config.rulebook;

import io.meridian.config.rulebook.ChangeRefused.Reason;
import io.meridian.config.rulebook.Outcome.What;
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
 * What a set of changes comes to, as one step from one rulebook to the next. Pure. What entries refer to is checked in the
 * rulebook that results, so the order within a set does not matter.
 */
final class Plan {
    private final Known known;
    private final long revision;
    private final Instant now;
    private final String author;
    private final Map<RuleEntry.Key, Outcome> outcomes = new LinkedHashMap<>();

    private Plan(Known known, long revision, Instant now, String author) {
        this.known = known;
        this.revision = revision;
        this.now = now;
        this.author = author;
    }

    /** One outcome per change, in their order, then those that follow from them. */
    static List<Outcome> of(List<Op> ops, Known known, long revision, Instant now, String author) {
        Plan plan = new Plan(known, revision, now, author);
        for (int i = 0; i < ops.size(); i++) {
            plan.apply(ops.get(i), i);
        }
        plan.moveDefault();
        plan.removeOverrides();
        new References(plan.outcomes, known).check();
        return new ArrayList<>(plan.outcomes.values());
    }

    private void apply(Op op, int index) {
        RuleEntry.Key key = op.key();
        if (outcomes.containsKey(key)) {
            throw Validator.invalid("changes[" + index + "]", EntryIds.of(key), "must not change an entry twice");
        }
        Optional<Stored> before = Optional.ofNullable(known.entries().get(key));
        check(op.condition(), key, before);
        outcomes.put(key, outcome(op, before));
    }

    private Outcome outcome(Op op, Optional<Stored> before) {
        if (op instanceof Op.Put put) {
            return put(put.entry(), before);
        }
        Stored present = before.orElseThrow(() -> missing(op.key()));
        if (op instanceof Op.Patch patch) {
            RuleEntry merged = EntryForm.read(
                    Kind.of(op.key()), MergePatch.apply(EntryForm.document(present.entry()), patch.patch()));
            new Validator()
                    .require(
                            merged.key().equals(op.key()),
                            "id",
                            EntryIds.of(merged.key()),
                            "must stay " + EntryIds.of(op.key()) + ": what an entry is for is not patched")
                    .throwIfInvalid();
            return put(merged, before);
        }
        return new Outcome(op.key(), What.DELETED, before, Optional.empty());
    }

    private Outcome put(RuleEntry entry, Optional<Stored> before) {
        RuleEntry content = EntryForm.unversioned(entry);
        boolean same = before.map(
                        stored -> EntryForm.unversioned(stored.entry()).equals(content))
                .orElse(false);
        if (same) {
            return new Outcome(entry.key(), What.UNCHANGED, before, before);
        }
        Stored after = EntryForm.versioned(new Stored(
                content,
                nextVersion(entry.key()),
                before.map(Stored::createdAt).orElse(now),
                now,
                before.map(Stored::createdBy).orElse(Optional.of(author))));
        return new Outcome(entry.key(), before.isPresent() ? What.REPLACED : What.CREATED, before, Optional.of(after));
    }

    private long nextVersion(RuleEntry.Key key) {
        return key instanceof RuleEntry.Key.OfPolicy policy
                ? known.policyVersions().getOrDefault(policy.id(), 0L) + 1
                : revision;
    }

    private static void check(Condition condition, RuleEntry.Key key, Optional<Stored> before) {
        String id = Kind.of(key).label() + " " + EntryIds.of(key);
        if (condition instanceof Condition.New && before.isPresent()) {
            throw new ChangeRefused(Reason.ALREADY_EXISTS, id + " exists already; PUT replaces it", before);
        }
        if (condition instanceof Condition.Absent && before.isPresent()) {
            throw new ChangeRefused(Reason.STALE, id + " exists already", before);
        }
        if (condition instanceof Condition.Matches matches
                && !before.map(stored -> matches.holds(stored.etag())).orElse(false)) {
            String current =
                    before.map(stored -> "is at version " + stored.version()).orElse("does not exist");
            throw new ChangeRefused(Reason.STALE, id + " " + current + ", not at " + matches.etags(), before);
        }
    }

    private static ChangeRefused missing(RuleEntry.Key key) {
        return new ChangeRefused(
                Reason.NOT_FOUND, "there is no " + Kind.of(key).label() + " " + EntryIds.of(key), Optional.empty());
    }

    /** A new default tier takes the default over from the one that was. */
    private void moveDefault() {
        long defaults = outcomes.values().stream().filter(Plan::isDefaultTier).count();
        if (defaults > 1) {
            throw Validator.invalid("default", defaults, "must be true of one tier only");
        }
        known.defaultTier()
                .filter(former ->
                        defaults == 1 && !outcomes.containsKey(former.entry().key()))
                .ifPresent(former -> {
                    Tier tier = ((RuleEntry.OfTier) former.entry()).tier();
                    RuleEntry plain = new RuleEntry.OfTier(tier.asDefault(false));
                    outcomes.put(plain.key(), put(plain, Optional.of(former)));
                });
    }

    private static boolean isDefaultTier(Outcome outcome) {
        return outcome.after()
                .map(stored ->
                        stored.entry() instanceof RuleEntry.OfTier of && of.tier().isDefault())
                .orElse(false);
    }

    /** Overrides go with their policy. */
    private void removeOverrides() {
        for (Stored override : known.overrides()) {
            RuleEntry.Key key = override.entry().key();
            outcomes.computeIfAbsent(
                    key, absent -> new Outcome(key, What.DELETED, Optional.of(override), Optional.empty()));
        }
    }
}
