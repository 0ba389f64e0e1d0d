package io.meridian.config.api;

import io.meridian.config.rulebook.Entries;
import io.meridian.config.rulebook.Kind;
import jakarta.ws.rs.Path;

/** Tiers. */
@Path(EntriesResource.BASE + "tiers")
class TiersResource extends EntriesResource {
    TiersResource(Entries entries, Changing changing, KnownFilters known) {
        super(Kind.TIER, entries, changing, known);
    }
}
