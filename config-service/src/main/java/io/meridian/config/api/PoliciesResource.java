package io.meridian.config.api;

import io.meridian.config.rulebook.Entries;
import io.meridian.config.rulebook.Kind;
import jakarta.ws.rs.Path;

/** Policies. */
@Path(EntriesResource.BASE + "policies")
class PoliciesResource extends EntriesResource {
    PoliciesResource(Entries entries, Changing changing, KnownFilters known) {
        super(Kind.POLICY, entries, changing, known);
    }
}
