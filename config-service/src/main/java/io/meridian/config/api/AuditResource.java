package io.meridian.config.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.access.Role;
import io.meridian.config.rulebook.AuditTrail;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;

/** Who did what, the latest first. */
@Path(EntriesResource.BASE + "audit")
@Blocking
@Produces(MediaType.APPLICATION_JSON)
class AuditResource {
    private final AuditTrail trail;

    AuditResource(AuditTrail trail) {
        this.trail = trail;
    }

    @GET
    @Needs(Role.VIEWER)
    public String list(@Context UriInfo uri) {
        Query query = Query.of(uri, Query.FROM, Query.TO, Query.LIMIT, Query.CURSOR, "actor", "action", "kind", "id");
        AuditTrail.Question question = new AuditTrail.Question(
                query.time(Query.FROM),
                query.time(Query.TO),
                query.text("actor"),
                query.text("action"),
                query.text("kind"),
                query.text("id"),
                query.afterNumber(),
                query.limit());
        AuditTrail.Answer answer = trail.read(question);
        if (answer.items().isEmpty()) {
            KnownFilters.foundNoAudit(query);
        }
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.putArray("items").addAll(answer.items());
        json.put(
                "next", answer.next().map(id -> Query.cursor(Long.toString(id))).orElse(null));
        return json.toString();
    }
}
