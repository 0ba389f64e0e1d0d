package io.meridian.limiter.rules.source;

import io.meridian.limiter.rules.ActiveRules;
import io.meridian.limiter.rules.RegionRules.Listing;
import io.meridian.model.match.Check;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the rulebook in effect says of a client. */
final class Asked {
    private static final long NOW = 1_768_474_800_000_000L;

    private Asked() {}

    /** The limits of a user, as {@code policy:limit}. */
    static List<String> limits(ActiveRules live, String userId) {
        return live.current().limits(check("user_id", userId), Optional.empty(), NOW).stream()
                .map(limit -> limit.policy().id() + ":" + limit.quota().limit())
                .toList();
    }

    static Listing listing(ActiveRules live, String type, String identifier) {
        return live.current().listing(check(type, identifier), NOW);
    }

    private static Check check(String type, String identifier) {
        return new Check(Map.of(type, identifier), "/", "GET", Map.of(), "", 1);
    }
}
