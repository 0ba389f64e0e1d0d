package io.meridian.config.history.whatif;

import com.fasterxml.jackson.databind.JsonNode;
import io.meridian.config.history.Statement;
import io.meridian.config.history.TimeRange;
import io.meridian.config.store.Session;
import io.meridian.config.store.Times;
import io.meridian.model.policy.Policy;
import io.meridian.model.validation.Validator;
import io.meridian.model.wire.PolicyJson;
import io.vertx.mutiny.sqlclient.Row;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Chooses the policy whose recorded usage stands for the requests of a draft: one that counts by the same key. */
final class Bases {
    private static final int CANDIDATES_MAX = 10_000;

    private Bases() {}

    static Basis choose(Session session, Policy draft, Optional<String> named, TimeRange range) {
        JsonNode key = PolicyJson.toJson(draft).get("key");
        return named.map(policy -> named(session, policy, key)).orElseGet(() -> busiest(session, draft, key, range));
    }

    /** One that is gone may be named too: its last version says how it counted. */
    private static Basis named(Session session, String policy, JsonNode key) {
        Statement statement = new Statement()
                .add(
                        "SELECT (document ->> 'cost')::bigint AS cost, document -> 'key' = (?::text)::jsonb AS same_key",
                        key.toString())
                .add("FROM policy_version WHERE id = ? AND document IS NOT NULL ORDER BY version DESC LIMIT 1", policy);
        for (Row row : statement.run(session)) {
            if (!Boolean.TRUE.equals(row.getBoolean("same_key"))) {
                throw Validator.invalid("basis", policy, "must be a policy that counts by the key of the draft, " + key);
            }
            return new Basis(policy, cost(row));
        }
        throw Validator.invalid("basis", policy, "must be the id of a policy");
    }

    /** The draft's own earlier self if there is one, else the one with the most on record. */
    private static Basis busiest(Session session, Policy draft, JsonNode key, TimeRange range) {
        Map<String, Basis> candidates = new LinkedHashMap<>();
        Statement alike = new Statement()
                .add("SELECT id, (document ->> 'cost')::bigint AS cost FROM policy")
                .add("WHERE document -> 'key' = (?::text)::jsonb ORDER BY id LIMIT " + CANDIDATES_MAX, key.toString());
        for (Row row : alike.run(session)) {
            candidates.put(row.getString("id"), new Basis(row.getString("id"), cost(row)));
        }
        Basis own = candidates.get(draft.id());
        if (own != null) {
            return own;
        }
        Statement busiest = new Statement()
                .add(
                        "SELECT policy FROM usage_history WHERE bucket >= ? AND bucket < ?",
                        Times.toDatabase(range.from()),
                        Times.toDatabase(range.to()))
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
