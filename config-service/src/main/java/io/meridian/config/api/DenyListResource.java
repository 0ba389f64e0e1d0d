package io.meridian.config.api;

import io.meridian.config.rulebook.Entries;
import io.meridian.config.rulebook.Kind;
import jakarta.ws.rs.Path;

/** The deny list. */
@Path(EntriesResource.BASE + "deny-list")
class DenyListResource extends EntriesResource {
    DenyListResource(Entries entries, Changing changing, KnownFilters known) {
        super(Kind.DENY, entries, changing, known);
    }
}
