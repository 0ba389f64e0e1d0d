package io.meridian.config.api;

import io.meridian.config.access.Role;
import io.meridian.config.rulebook.Entries;
import io.meridian.config.rulebook.EntryForm;
import io.meridian.config.rulebook.Kind;
import io.meridian.config.rulebook.Op;
import io.meridian.model.rules.RuleEntry;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.io.InputStream;

/** The one table by which adaptive limits follow the load; without it limiters have their own. */
@Path(EntriesResource.BASE + "adaptive")
@Blocking
@Produces(MediaType.APPLICATION_JSON)
class AdaptiveResource {
    private static final RuleEntry.Key KEY = new RuleEntry.Key.OfAdaptive();

    private final Entries entries;
    private final Changing changing;

    AdaptiveResource(Entries entries, Changing changing) {
        this.entries = entries;
        this.changing = changing;
    }

    @GET
    @Needs(Role.VIEWER)
    public Response get(@Context UriInfo uri, @Context HttpHeaders headers) {
        Query.of(uri);
        return Answers.found(KEY, entries.find(KEY), headers);
    }

    @PUT
    @Needs(Role.EDITOR)
    @Consumes(MediaType.APPLICATION_JSON)
    public Response put(InputStream body, @Context UriInfo uri, @Context HttpHeaders headers) {
        Op put = new Op.Put(EntryForm.read(Kind.ADAPTIVE, JsonBody.read(body)), Preconditions.of(headers));
        return changing.one(put, ChangeOptions.ofDryRun(uri));
    }

    @DELETE
    @Needs(Role.EDITOR)
    public Response delete(@Context UriInfo uri, @Context HttpHeaders headers) {
        return changing.one(new Op.Delete(KEY, Preconditions.of(headers)), ChangeOptions.ofDryRun(uri));
    }
}
