package io.meridian.config.api;

import io.meridian.config.rulebook.Entries;
import io.meridian.config.rulebook.Kind;
import jakarta.ws.rs.Path;

/** The tiers of clients. */
@Path(EntriesResource.BASE + "client-tiers")
class ClientTiersResource extends EntriesResource {
    ClientTiersResource(Entries entries, Changing changing, KnownFilters known) {
        super(Kind.CLIENT_TIER, entries, changing, known);
    }
}
