package io.meridian.config.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.meridian.config.access.Role;
import io.meridian.config.rulebook.Entries;
import io.meridian.config.rulebook.Revisions;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
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
    public Response get(@Context UriInfo uri) {
        Query.of(uri);
        long revision = entries.revision();
        return Response.ok(JsonNodeFactory.instance
                        .objectNode()
                        .put("revision", revision)
                        .toString())
                .header(HttpHeaders.ETAG, Revisions.etag(revision))
                .build();
    }
}
