package io.meridian.config.history.whatif;

import com.fasterxml.jackson.databind.JsonNode;
import io.meridian.config.database.Database.Session;
import io.meridian.config.database.SqlStatement;
import io.meridian.config.database.Timestamps;
import io.meridian.config.history.TimeRange;
import io.meridian.model.policy.Policy;
import io.meridian.model.validation.Validator;
import io.meridian.model.wire.PolicyJson;
import io.vertx.mutiny.sqlclient.Row;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Policy whose recorded usage stands for the requests of a draft: one that counts by the same key.
 *
 * @param cost its charge per request
 */
record BasisPolicy(String policy, long cost) {
    private static final int CANDIDATES_MAX = 10_000;

    static BasisPolicy choose(Session session, Policy draft, Optional<String> named, TimeRange range) {
        JsonNode key = PolicyJson.toJson(draft).get("key");
        return named.map(policy -> named(session, policy, key)).orElseGet(() -> busiest(session, draft, key, range));
    }

    /** A named policy may be deleted: its last version tells the key and the cost. */
    private static BasisPolicy named(Session session, String policy, JsonNode key) {
        SqlStatement statement = SqlStatement.of(
                        "SELECT (document ->> 'cost')::bigint AS cost, document -> 'key' = (?::text)::jsonb AS same_key",
                        key.toString())
                .add("FROM policy_version WHERE id = ? AND document IS NOT NULL ORDER BY version DESC LIMIT 1", policy);
        for (Row row : statement.run(session)) {
            if (!Boolean.TRUE.equals(row.getBoolean("same_key"))) {
                throw Validator.invalid(
                        "basis", policy, "must be a policy that counts by the key of the draft, " + key);
            }
            return new BasisPolicy(policy, cost(row));
        }
        throw Validator.invalid("basis", policy, "must be the id of a policy");
    }

    /** The stored policy of the same id if there is one, else the one with the most records. */
    private static BasisPolicy busiest(Session session, Policy draft, JsonNode key, TimeRange range) {
        Map<String, BasisPolicy> candidates = new LinkedHashMap<>();
        SqlStatement alike = SqlStatement.of("SELECT id, (document ->> 'cost')::bigint AS cost FROM policy")
                .add("WHERE document -> 'key' = (?::text)::jsonb ORDER BY id LIMIT " + CANDIDATES_MAX, key.toString());
        for (Row row : alike.run(session)) {
            candidates.put(row.getString("id"), new BasisPolicy(row.getString("id"), cost(row)));
        }
        BasisPolicy own = candidates.get(draft.id());
        if (own != null) {
            return own;
        }
        SqlStatement busiest = SqlStatement.of(
                        "SELECT policy FROM usage_history WHERE bucket >= ? AND bucket < ?",
                        Timestamps.toDatabase(range.from()),
                        Timestamps.toDatabase(range.to()))
                .add("AND policy = ANY (?) GROUP BY policy ORDER BY count(*) DESC, policy LIMIT 1", (Object)
                        candidates.keySet().toArray(String[]::new));
        for (Row row : busiest.run(session)) {
            return Objects.requireNonNull(candidates.get(row.getString("policy")));
        }
        throw Validator.invalid(
                "policy.key",
                key,
                "must be the key of a policy with usage on record in the range, or basis must name one");
    }

    private static long cost(Row row) {
        Long cost = row.getLong("cost");
        return cost == null ? 1 : cost;
    }
}
