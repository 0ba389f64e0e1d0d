package io.meridian.config.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.meridian.config.rules.ChangePlan.ReferenceCheck;
import io.meridian.config.rules.ChangeResult.Effect;
import io.meridian.config.rules.ChangeResult.EntryOutcome;
import io.meridian.config.rules.EntryChange.ChangeRefusedException;
import io.meridian.config.rules.EntryChange.Precondition;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Window;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.Policy;
import io.meridian.model.rules.Expiry;
import io.meridian.model.rules.Identifier;
import io.meridian.model.rules.LimitOverride;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.rules.Tier;
import io.meridian.model.rules.Tier.ClientTier;
import io.meridian.model.validation.ValidationException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Outcomes of sets of changes, without a database. */
class ChangePlanTest {
    private static final Instant THEN = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant NOW = Instant.parse("2026-01-02T00:00:00Z");
    private static final Identifier CLIENT = new Identifier("user_id", "1");

    @Test
    void a_created_policy_is_version_one_or_what_follows_the_versions_it_had() {
        StoredEntry fresh =
                after(plan(StoredContext.NOTHING, put(policy("a", 1))).get(0));
        assertThat(fresh.version()).isEqualTo(1);
        assertThat(fresh.createdAt()).isEqualTo(NOW);

        StoredContext deletedBefore =
                new StoredContext(Map.of(), Map.of("a", 7L), List.of(), Optional.empty(), Set.of(), Map.of());
        assertThat(after(plan(deletedBefore, put(policy("a", 1))).get(0)).version())
                .isEqualTo(8);
    }

    @Test
    void all_but_policies_have_the_revision_as_their_version() {
        assertThat(after(plan(StoredContext.NOTHING, put(tier("t", false))).get(0))
                        .version())
                .isEqualTo(10);
    }

    @Test
    void the_same_content_is_no_change() {
        StoredContext known = known(stored(policy("a", 1), 3));

        EntryOutcome outcome = plan(known, put(policy("a", 1))).get(0);

        assertThat(outcome.effect()).isEqualTo(Effect.UNCHANGED);
        assertThat(after(outcome).version()).isEqualTo(3);
    }

    @Test
    void a_replacement_keeps_when_it_was_created() {
        EntryOutcome outcome =
                plan(known(stored(tier("t", false), 3)), put(tier("t", true))).get(0);

        assertThat(outcome.effect()).isEqualTo(Effect.REPLACED);
        assertThat(after(outcome).createdAt()).isEqualTo(THEN);
        assertThat(after(outcome).updatedAt()).isEqualTo(NOW);
    }

    @Test
    void conditions_are_held_against_what_is_stored() {
        StoredContext known = known(stored(tier("t", false), 3));
        EntryChange.Put stale = new EntryChange.Put(tier("t", true), new Precondition.Matches(Set.of("\"2\"")));
        assertRefused(ChangeRefusedException.Reason.STALE, known, stale);
        assertRefused(ChangeRefusedException.Reason.STALE, StoredContext.NOTHING, stale);
        assertRefused(
                ChangeRefusedException.Reason.STALE,
                known,
                new EntryChange.Put(tier("t", true), new Precondition.Absent()));
        assertRefused(
                ChangeRefusedException.Reason.ALREADY_EXISTS,
                known,
                new EntryChange.Put(tier("t", true), new Precondition.New()));
        assertRefused(
                ChangeRefusedException.Reason.NOT_FOUND, StoredContext.NOTHING, delete(new RuleEntry.Key.OfTier("t")));
        assertThat(plan(
                        known,
                        new EntryChange.Put(tier("t", true), new Precondition.Matches(Set.of("\"2\"", "\"3\"")))))
                .hasSize(1);
        assertThat(plan(known, new EntryChange.Put(tier("t", true), new Precondition.Matches(Set.of("*")))))
                .hasSize(1);
    }

    @Test
    void the_default_moves_and_there_is_one_only() {
        StoredEntry former = stored(tier("old", true), 3);
        StoredContext known = new StoredContext(Map.of(), Map.of(), List.of(), Optional.of(former), Set.of(), Map.of());

        List<EntryOutcome> outcomes = plan(known, put(tier("new", true)));

        assertThat(outcomes).hasSize(2);
        assertThat(outcomes.get(1).key()).isEqualTo(new RuleEntry.Key.OfTier("old"));
        assertThat(after(outcomes.get(1)).entry()).isEqualTo(tier("old", false));
        assertThat(plan(known, put(tier("new", false)))).hasSize(1);
        assertThatThrownBy(() -> plan(known, put(tier("a", true)), put(tier("b", true))))
                .isInstanceOf(ValidationException.class);
    }

    @Test
    void overrides_go_with_their_policy_and_none_comes_back_without_it() {
        StoredEntry override = stored(override("a", 5, 0), 4);
        StoredEntry policy = stored(policy("a", 1), 1);
        StoredContext known = new StoredContext(
                Map.of(policy.entry().key(), policy),
                Map.of("a", 1L),
                List.of(override),
                Optional.empty(),
                Set.of(),
                Map.of());

        List<EntryOutcome> outcomes = plan(known, delete(policy.entry().key()));

        assertThat(outcomes).extracting(EntryOutcome::effect).containsExactly(Effect.DELETED, Effect.DELETED);
        assertThatThrownBy(() -> plan(known, delete(policy.entry().key()), put(override("a", 6, 0))))
                .isInstanceOf(ValidationException.class);
    }

    @Test
    void what_entries_refer_to_may_come_later_in_the_same_set() {
        assertThat(plan(StoredContext.NOTHING, put(override("a", 5, 0)), put(policy("a", 1))))
                .hasSize(2);
        assertThat(plan(StoredContext.NOTHING, put(clientTier("t")), put(tier("t", false))))
                .hasSize(2);
        assertThatThrownBy(() -> plan(StoredContext.NOTHING, put(clientTier("t"))))
                .isInstanceOf(ValidationException.class);
        assertThatThrownBy(() -> plan(StoredContext.NOTHING, put(override("a", 5, 1)), put(policy("a", 1))))
                .as("a fixed window has no burst")
                .isInstanceOf(ValidationException.class);
    }

    @Test
    void a_used_tier_stays() {
        StoredEntry tier = stored(tier("t", false), 1);
        StoredContext known = new StoredContext(
                Map.of(tier.entry().key(), tier), Map.of(), List.of(), Optional.empty(), Set.of("t"), Map.of());
        assertRefused(
                ChangeRefusedException.Reason.IN_USE, known, delete(tier.entry().key()));
    }

    @Test
    void an_entry_is_changed_once_and_a_patch_keeps_its_id() {
        StoredContext known = known(stored(tier("t", false), 1));
        assertThatThrownBy(() -> plan(known, put(tier("t", true)), delete(new RuleEntry.Key.OfTier("t"))))
                .hasMessageContaining("changes[1]");
        EntryChange rename = new EntryChange.Patch(
                new RuleEntry.Key.OfTier("t"),
                JsonNodeFactory.instance.objectNode().put("name", "u"),
                Precondition.ALWAYS);
        assertThatThrownBy(() -> plan(known, rename)).hasMessageContaining("must stay t");
    }

    @Test
    void no_more_policies_than_limiters_take() {
        StoredContext full = new StoredContext(
                Map.of(),
                Map.of(),
                List.of(),
                Optional.empty(),
                Set.of(),
                Map.of(EntryKind.POLICY, ReferenceCheck.COUNT_MAX));
        assertThatThrownBy(() -> plan(full, put(policy("a", 1)))).hasMessageContaining("policies");
        StoredEntry policy = stored(policy("b", 1), 1);
        StoredContext swapped = new StoredContext(
                Map.of(policy.entry().key(), policy),
                Map.of(),
                List.of(),
                Optional.empty(),
                Set.of(),
                Map.of(EntryKind.POLICY, ReferenceCheck.COUNT_MAX));
        assertThat(plan(swapped, put(policy("a", 1)), delete(policy.entry().key())))
                .hasSize(2);
    }

    private static void assertRefused(ChangeRefusedException.Reason reason, StoredContext known, EntryChange op) {
        assertThatThrownBy(() -> plan(known, op))
                .isInstanceOfSatisfying(ChangeRefusedException.class, refused -> assertThat(refused.reason())
                        .isEqualTo(reason));
    }

    private static List<EntryOutcome> plan(StoredContext known, EntryChange... ops) {
        return ChangePlan.of(List.of(ops), known, 10, NOW, "author");
    }

    private static StoredEntry after(EntryOutcome outcome) {
        return outcome.after().orElseThrow();
    }

    private static StoredContext known(StoredEntry... stored) {
        Map<RuleEntry.Key, StoredEntry> entries = new HashMap<>();
        Map<String, Long> versions = new HashMap<>();
        for (StoredEntry each : stored) {
            entries.put(each.entry().key(), each);
            versions.put(each.id(), each.version());
        }
        return new StoredContext(entries, versions, List.of(), Optional.empty(), Set.of(), Map.of());
    }

    private static StoredEntry stored(RuleEntry entry, long version) {
        return EntryDocument.versioned(new StoredEntry(entry, version, THEN, THEN, Optional.of("somebody else")));
    }

    private static EntryChange put(RuleEntry entry) {
        return new EntryChange.Put(entry, Precondition.ALWAYS);
    }

    private static EntryChange delete(RuleEntry.Key key) {
        return new EntryChange.Delete(key, Precondition.ALWAYS);
    }

    private static RuleEntry policy(String id, long limit) {
        return new RuleEntry.OfPolicy(
                Policy.of(id, KeySpec.ONE_FOR_ALL, Algorithm.FIXED_WINDOW, limit, Window.Span.ofSeconds(60)));
    }

    private static RuleEntry tier(String name, boolean isDefault) {
        return new RuleEntry.OfTier(new Tier(name, "", isDefault));
    }

    private static RuleEntry clientTier(String tier) {
        return new RuleEntry.OfClientTier(new ClientTier(CLIENT, tier));
    }

    private static RuleEntry override(String policy, long limit, long burst) {
        return new RuleEntry.OfOverride(new LimitOverride(policy, CLIENT, limit, burst, Expiry.NEVER));
    }
}
