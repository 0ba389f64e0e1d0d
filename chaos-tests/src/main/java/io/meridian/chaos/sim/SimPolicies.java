package io.meridian.chaos.sim;

import io.meridian.model.match.Check;
import io.meridian.model.policy.Policy;
import io.meridian.model.wire.PolicyJson;
import java.util.List;
import java.util.Map;

/**
 * The policies of a history: one in escrow in short windows, one that converges in windows longer than the loop that end within the
 * history, one that converges in windows longer than the history, and a region's own beside the one in escrow.
 */
record SimPolicies(
        long version, long escrow, long converge, long lasting, long regional, int escrowSeconds, int convergeSeconds) {
    SimPolicies(long version, long escrow, long converge, long lasting, long regional) {
        this(version, escrow, converge, lasting, regional, 5, 8);
    }

    static final String ESCROW = "escrow";
    static final String CONVERGE = "converge";
    static final String LASTING = "lasting";
    static final String REGIONAL = "regional";

    List<Policy> all() {
        return List.of(
                policy(ESCROW, "[\"/escrow\", \"/both\"]", escrow, escrowSeconds + "s", "global", "escrow"),
                policy(CONVERGE, "[\"/converge\"]", converge, convergeSeconds + "s", "global", "converge"),
                policy(LASTING, "[\"/lasting\"]", lasting, "1h", "global", "converge"),
                policy(REGIONAL, "[\"/both\"]", regional, "5s", "regional", "converge"));
    }

    private Policy policy(String id, String endpoints, long limit, String window, String scope, String mode) {
        return PolicyJson.decode("""
                {"format": 1, "id": "%s", "applies_to": {"endpoints": %s}, "key": ["user_id"],
                 "algorithm": "fixed_window", "limit": %d, "window": "%s", "scope": "%s", "mode": "%s",
                 "on_exhausted": "deny", "version": %d,
                 "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z"}
                """.formatted(id, endpoints, limit, window, scope, mode, version));
    }

    /** @param kind what is asked for: a policy's name, or {@code both} for the one in escrow and the region's own */
    static Check check(String kind, String user, long cost) {
        return new Check(Map.of("user_id", user), "/" + kind, "GET", Map.of(), "", cost);
    }

    long limit(String policy) {
        return switch (policy) {
            case ESCROW -> escrow;
            case CONVERGE -> converge;
            case LASTING -> lasting;
            case REGIONAL -> regional;
            default -> throw new IllegalArgumentException("policy must be one of the simulated, got " + policy);
        };
    }
}
