package io.meridian.config.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.meridian.config.access.Role;
import io.meridian.config.rulebook.Entries;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;

/** How many changes the rulebook has seen. */
@Path(EntriesResource.BASE + "revision")
@Blocking
@Produces(MediaType.APPLICATION_JSON)
class RevisionResource {
    private final Entries entries;

    RevisionResource(Entries entries) {
        this.entries = entries;
    }

    @GET
    @Needs(Role.VIEWER)
    public String get(@Context UriInfo uri) {
        Query.of(uri);
        return JsonNodeFactory.instance
                .objectNode()
                .put("revision", entries.revision())
                .toString();
    }
}
