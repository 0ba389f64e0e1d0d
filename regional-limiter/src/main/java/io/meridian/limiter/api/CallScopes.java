package io.meridian.limiter.api;

import io.meridian.model.access.TokenEntry.TokenScope;
import io.meridian.model.validation.EnumNames;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The scope that a call needs, by its path as the router sees it. A path that is not listed needs all scopes: no other spelling
 * of a path, and no path that somebody adds and forgets here, is open to a token that is for less.
 */
final class CallScopes {
    private static final String RATE_LIMIT = "/api/v1/rate-limit";
    private static final String RESERVATIONS = RATE_LIMIT + "/reservations";
    private static final String LEASES = RATE_LIMIT + "/leases";

    private static final Set<TokenScope> CHECK = Set.of(TokenScope.CHECK);
    private static final Set<TokenScope> OPERATE = Set.of(TokenScope.OPERATE);
    private static final Set<TokenScope> ALL = Set.copyOf(EnumSet.allOf(TokenScope.class));

    private static final Map<String, Set<TokenScope>> BY_PATH = Map.of(
            RATE_LIMIT + "/check",
            CHECK,
            RATE_LIMIT + "/check/batch",
            CHECK,
            RATE_LIMIT + "/status",
            CHECK,
            FrontDoor.FORWARD_AUTH,
            CHECK,
            LEASES,
            CHECK,
            RATE_LIMIT + "/refund",
            OPERATE,
            RATE_LIMIT + "/reset",
            OPERATE,
            RESERVATIONS,
            OPERATE,
            "/api/v1/load",
            Set.of(TokenScope.LOAD));

    private CallScopes() {}

    /** @param normalizedPath as the router compares it, without dots and needless escapes */
    static Set<TokenScope> of(String normalizedPath) {
        boolean slash = normalizedPath.endsWith("/");
        Set<TokenScope> listed =
                BY_PATH.get(slash ? normalizedPath.substring(0, normalizedPath.length() - 1) : normalizedPath);
        if (listed != null) {
            return listed;
        }
        if (normalizedPath.startsWith(RESERVATIONS + "/")) {
            return OPERATE;
        }
        return normalizedPath.startsWith(LEASES + "/") ? CHECK : ALL;
    }

    static String text(Set<TokenScope> scopes) {
        return scopes.stream().sorted().map(EnumNames::text).collect(Collectors.joining(", "));
    }
}
