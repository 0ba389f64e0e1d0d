package io.meridian.config.rulebook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.meridian.config.rulebook.Outcome.What;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Window;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.Policy;
import io.meridian.model.rules.Expiry;
import io.meridian.model.rules.Identifier;
import io.meridian.model.rules.LimitOverride;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.rules.Tier.ClientTier;
import io.meridian.model.rules.Tier;
import io.meridian.model.validation.ValidationException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What sets of changes come to, without a database. */
class PlanTest {
    private static final Instant THEN = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant NOW = Instant.parse("2026-01-02T00:00:00Z");
    private static final Identifier CLIENT = new Identifier("user_id", "1");

    @Test
    void a_created_policy_is_version_one_or_what_follows_the_versions_it_had() {
        Stored fresh = after(plan(Known.NOTHING, put(policy("a", 1))).get(0));
        assertThat(fresh.version()).isEqualTo(1);
        assertThat(fresh.createdAt()).isEqualTo(NOW);

        Known deletedBefore = new Known(Map.of(), Map.of("a", 7L), List.of(), Optional.empty(), Set.of(), Map.of());
        assertThat(after(plan(deletedBefore, put(policy("a", 1))).get(0)).version())
                .isEqualTo(8);
    }

    @Test
    void all_but_policies_have_the_revision_as_their_version() {
        assertThat(after(plan(Known.NOTHING, put(tier("t", false))).get(0)).version())
                .isEqualTo(10);
    }

    @Test
    void the_same_content_is_no_change() {
        Known known = known(stored(policy("a", 1), 3));

        Outcome outcome = plan(known, put(policy("a", 1))).get(0);

        assertThat(outcome.what()).isEqualTo(What.UNCHANGED);
        assertThat(after(outcome).version()).isEqualTo(3);
    }

    @Test
    void a_replacement_keeps_when_it_was_created() {
        Outcome outcome =
                plan(known(stored(tier("t", false), 3)), put(tier("t", true))).get(0);

        assertThat(outcome.what()).isEqualTo(What.REPLACED);
        assertThat(after(outcome).createdAt()).isEqualTo(THEN);
        assertThat(after(outcome).updatedAt()).isEqualTo(NOW);
    }

    @Test
    void conditions_are_held_against_what_is_stored() {
        Known known = known(stored(tier("t", false), 3));
        Op.Put stale = new Op.Put(tier("t", true), new Condition.Matches(Set.of("\"2\"")));
        assertRefused(ChangeRefused.Reason.STALE, known, stale);
        assertRefused(ChangeRefused.Reason.STALE, Known.NOTHING, stale);
        assertRefused(ChangeRefused.Reason.STALE, known, new Op.Put(tier("t", true), new Condition.Absent()));
        assertRefused(ChangeRefused.Reason.ALREADY_EXISTS, known, new Op.Put(tier("t", true), new Condition.New()));
        assertRefused(ChangeRefused.Reason.NOT_FOUND, Known.NOTHING, delete(new RuleEntry.Key.OfTier("t")));
        assertThat(plan(known, new Op.Put(tier("t", true), new Condition.Matches(Set.of("\"2\"", "\"3\"")))))
                .hasSize(1);
        assertThat(plan(known, new Op.Put(tier("t", true), new Condition.Matches(Set.of("*")))))
                .hasSize(1);
    }

    @Test
    void the_default_moves_and_there_is_one_only() {
        Stored former = stored(tier("old", true), 3);
        Known known = new Known(Map.of(), Map.of(), List.of(), Optional.of(former), Set.of(), Map.of());

        List<Outcome> outcomes = plan(known, put(tier("new", true)));

        assertThat(outcomes).hasSize(2);
        assertThat(outcomes.get(1).key()).isEqualTo(new RuleEntry.Key.OfTier("old"));
        assertThat(after(outcomes.get(1)).entry()).isEqualTo(tier("old", false));
        assertThat(plan(known, put(tier("new", false)))).hasSize(1);
        assertThatThrownBy(() -> plan(known, put(tier("a", true)), put(tier("b", true))))
                .isInstanceOf(ValidationException.class);
    }

    @Test
    void overrides_go_with_their_policy_and_none_comes_back_without_it() {
        Stored override = stored(override("a", 5, 0), 4);
        Stored policy = stored(policy("a", 1), 1);
        Known known = new Known(
                Map.of(policy.entry().key(), policy),
                Map.of("a", 1L),
                List.of(override),
                Optional.empty(),
                Set.of(),
                Map.of());

        List<Outcome> outcomes = plan(known, delete(policy.entry().key()));

        assertThat(outcomes).extracting(Outcome::what).containsExactly(What.DELETED, What.DELETED);
        assertThatThrownBy(() -> plan(known, delete(policy.entry().key()), put(override("a", 6, 0))))
                .isInstanceOf(ValidationException.class);
    }

    @Test
    void what_entries_refer_to_may_come_later_in_the_same_set() {
        assertThat(plan(Known.NOTHING, put(override("a", 5, 0)), put(policy("a", 1))))
                .hasSize(2);
        assertThat(plan(Known.NOTHING, put(clientTier("t")), put(tier("t", false))))
                .hasSize(2);
        assertThatThrownBy(() -> plan(Known.NOTHING, put(clientTier("t")))).isInstanceOf(ValidationException.class);
        assertThatThrownBy(() -> plan(Known.NOTHING, put(override("a", 5, 1)), put(policy("a", 1))))
                .as("a fixed window has no burst")
                .isInstanceOf(ValidationException.class);
    }

    @Test
    void a_used_tier_stays() {
        Stored tier = stored(tier("t", false), 1);
        Known known = new Known(
                Map.of(tier.entry().key(), tier), Map.of(), List.of(), Optional.empty(), Set.of("t"), Map.of());
        assertRefused(ChangeRefused.Reason.IN_USE, known, delete(tier.entry().key()));
    }

    @Test
    void an_entry_is_changed_once_and_a_patch_keeps_its_id() {
        Known known = known(stored(tier("t", false), 1));
        assertThatThrownBy(() -> plan(known, put(tier("t", true)), delete(new RuleEntry.Key.OfTier("t"))))
                .hasMessageContaining("changes[1]");
        Op rename = new Op.Patch(
                new RuleEntry.Key.OfTier("t"), JsonNodeFactory.instance.objectNode().put("name", "u"), Condition.ALWAYS);
        assertThatThrownBy(() -> plan(known, rename)).hasMessageContaining("must stay t");
    }

    @Test
    void no_more_policies_than_limiters_take() {
        Known full = new Known(
                Map.of(), Map.of(), List.of(), Optional.empty(), Set.of(), Map.of(Kind.POLICY, References.COUNT_MAX));
        assertThatThrownBy(() -> plan(full, put(policy("a", 1)))).hasMessageContaining("policies");
        Stored policy = stored(policy("b", 1), 1);
        Known swapped = new Known(
                Map.of(policy.entry().key(), policy),
                Map.of(),
                List.of(),
                Optional.empty(),
                Set.of(),
                Map.of(Kind.POLICY, References.COUNT_MAX));
        assertThat(plan(swapped, put(policy("a", 1)), delete(policy.entry().key())))
                .hasSize(2);
    }

    private static void assertRefused(ChangeRefused.Reason reason, Known known, Op op) {
        assertThatThrownBy(() -> plan(known, op))
                .isInstanceOfSatisfying(ChangeRefused.class, refused -> assertThat(refused.reason())
                        .isEqualTo(reason));
    }

    private static List<Outcome> plan(Known known, Op... ops) {
        return Plan.of(List.of(ops), known, 10, NOW, "author");
    }

    private static Stored after(Outcome outcome) {
        return outcome.after().orElseThrow();
    }

    private static Known known(Stored... stored) {
        Map<RuleEntry.Key, Stored> entries = new HashMap<>();
        Map<String, Long> versions = new HashMap<>();
        for (Stored each : stored) {
            entries.put(each.entry().key(), each);
            versions.put(each.id(), each.version());
        }
        return new Known(entries, versions, List.of(), Optional.empty(), Set.of(), Map.of());
    }

    private static Stored stored(RuleEntry entry, long version) {
        return EntryForm.versioned(new Stored(entry, version, THEN, THEN, Optional.of("somebody else")));
    }

    private static Op put(RuleEntry entry) {
        return new Op.Put(entry, Condition.ALWAYS);
    }

    private static Op delete(RuleEntry.Key key) {
        return new Op.Delete(key, Condition.ALWAYS);
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
