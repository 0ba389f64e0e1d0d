package io.meridian.config.api;

import io.meridian.config.api.AccessFilter.RequiresRole;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.access.Role;
import io.meridian.config.audit.AuditReader;
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
    private final AuditReader trail;

    AuditResource(AuditReader trail) {
        this.trail = trail;
    }

    @GET
    @RequiresRole(Role.VIEWER)
    public String list(@Context UriInfo uri) {
        Query query = Query.of(uri, Query.FROM, Query.TO, Query.LIMIT, Query.CURSOR, "actor", "action", "kind", "id");
        AuditReader.Question question = new AuditReader.Question(
                query.time(Query.FROM),
                query.time(Query.TO),
                query.text("actor"),
                query.text("action"),
                query.text("kind"),
                query.text("id"),
                query.afterNumber(),
                query.limit());
        AuditReader.Answer answer = trail.read(question);
        if (answer.items().isEmpty()) {
            FilterCheck.foundNoAudit(query);
        }
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.putArray("items").addAll(answer.items());
        json.put(
                "next", answer.next().map(id -> Query.cursor(Long.toString(id))).orElse(null));
        return json.toString();
    }
}
