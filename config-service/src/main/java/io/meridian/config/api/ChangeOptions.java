package io.meridian.config.api;

import jakarta.ws.rs.core.UriInfo;

/**
 * The parameters that changes of entries have.
 *
 * @param dryRun whether the change is only rehearsed
 * @param allowUnknown whether a policy may name a tier or a region that does not exist
 */
record ChangeOptions(boolean dryRun, boolean allowUnknown) {
    private static final String ALLOW_UNKNOWN = "allow_unknown";

    static ChangeOptions of(UriInfo uri) {
        Query query = Query.of(uri, Query.DRY_RUN, ALLOW_UNKNOWN);
        return new ChangeOptions(query.flag(Query.DRY_RUN), query.flag(ALLOW_UNKNOWN));
    }

    /** Of a change that has no use for names. */
    static ChangeOptions ofDryRun(UriInfo uri) {
        return new ChangeOptions(Query.dryRun(uri), false);
    }
}
