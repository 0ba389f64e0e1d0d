package io.meridian.config.api;

import io.meridian.config.rulebook.Entries;
import io.meridian.config.rulebook.Kind;
import jakarta.ws.rs.Path;

/** The allow list. */
@Path(EntriesResource.BASE + "allow-list")
class AllowListResource extends EntriesResource {
    AllowListResource(Entries entries, Changing changing, KnownFilters known) {
        super(Kind.ALLOW, entries, changing, known);
    }
}
