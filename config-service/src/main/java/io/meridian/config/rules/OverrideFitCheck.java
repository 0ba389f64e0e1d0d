package io.meridian.config.rules;

import io.meridian.config.database.Database.Session;
import io.meridian.config.rules.ChangeResult.Effect;
import io.meridian.config.rules.ChangeResult.EntryOutcome;
import io.meridian.model.policy.LimitSpec;
import io.meridian.model.policy.Policy;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.validation.Validator;
import io.vertx.mutiny.sqlclient.Row;
import java.util.List;

/**
 * Check that a changed policy can take its stored overrides: limiters would silently ignore those that it cannot. It is a
 * query, because a policy may have too many overrides to read them.
 */
record OverrideFitCheck(Session session, List<EntryOutcome> outcomes) {
    /** {@code LimitSpec.takes} as a condition on rows. */
    private static final String UNFIT = """
            SELECT id, document ->> 'limit' AS "limit", document ->> 'burst' AS burst FROM override
            WHERE policy = $1 AND NOT id = ANY($2)
                AND ((document ->> 'limit')::bigint > $3 OR ((document ->> 'burst')::bigint > 0 AND NOT $4)
                    OR (document ->> 'limit')::bigint + (document ->> 'burst')::bigint < $5)
            ORDER BY id LIMIT 5""";

    void check() {
        Validator rules = new Validator();
        String[] changed = outcomes.stream()
                .filter(outcome -> EntryKind.of(outcome.key()) == EntryKind.OVERRIDE)
                .map(outcome -> EntryKind.id(outcome.key()))
                .toArray(String[]::new);
        outcomes.stream()
                .filter(outcome -> outcome.effect() == Effect.REPLACED)
                .flatMap(outcome -> outcome.after().stream())
                .filter(after -> after.entry() instanceof RuleEntry.OfPolicy)
                .forEach(after -> check(rules, ((RuleEntry.OfPolicy) after.entry()).policy(), changed));
        rules.throwIfInvalid();
    }

    private void check(Validator rules, Policy policy, String[] changed) {
        LimitSpec counting = policy.limitSpec();
        for (Row row : session.run(
                UNFIT,
                policy.id(),
                changed,
                counting.algorithm().limitMax(),
                counting.algorithm().isBucket(),
                counting.costMax())) {
            rules.require(
                    false,
                    "override " + row.getString("id"),
                    "limit " + row.getString("limit") + ", burst " + row.getString("burst"),
                    "must still fit the policy: change or delete it first, or in the same set of changes");
        }
    }
}
