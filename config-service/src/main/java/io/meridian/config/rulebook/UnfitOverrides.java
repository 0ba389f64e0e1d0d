package io.meridian.config.rulebook;

import io.meridian.config.rulebook.Outcome.What;
import io.meridian.config.store.Session;
import io.meridian.model.policy.LimitSpec;
import io.meridian.model.policy.Policy;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.validation.Validator;
import io.vertx.mutiny.sqlclient.Row;
import java.util.List;

/**
 * Refuses a change of a policy that would leave overrides which it cannot take: limiters would ignore them, and nobody would
 * know. It asks the database, because a policy may have more overrides than one wants to read.
 */
record UnfitOverrides(Session session, List<Outcome> outcomes) {
    /** What {@code LimitSpec.takes} says, of rows. */
    private static final String UNFIT = """
            SELECT id, document ->> 'limit' AS "limit", document ->> 'burst' AS burst FROM override
            WHERE policy = $1 AND NOT id = ANY($2)
                AND ((document ->> 'limit')::bigint > $3 OR ((document ->> 'burst')::bigint > 0 AND NOT $4)
                    OR (document ->> 'limit')::bigint + (document ->> 'burst')::bigint < $5)
            ORDER BY id LIMIT 5""";

    void check() {
        Validator rules = new Validator();
        String[] changed = outcomes.stream()
                .filter(outcome -> Kind.of(outcome.key()) == Kind.OVERRIDE)
                .map(outcome -> EntryIds.of(outcome.key()))
                .toArray(String[]::new);
        outcomes.stream()
                .filter(outcome -> outcome.what() == What.REPLACED)
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
