package io.meridian.config.api;

import io.meridian.config.rulebook.Entries;
import io.meridian.config.rulebook.Kind;
import jakarta.ws.rs.Path;

/** Overrides. */
@Path(EntriesResource.BASE + "overrides")
class OverridesResource extends EntriesResource {
    OverridesResource(Entries entries, Changing changing, KnownFilters known) {
        super(Kind.OVERRIDE, entries, changing, known);
    }
}
