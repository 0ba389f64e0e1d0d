package io.meridian.config.api;

import io.meridian.config.access.AdminRole;
import io.meridian.config.api.AccessFilter.RequiresRole;
import io.meridian.config.audit.AuditReader;
import io.meridian.config.audit.AuditReader.AuditItem;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The audit trail, latest row first. */
@Path(EntriesResource.BASE + "audit")
@Blocking
@Produces(MediaType.APPLICATION_JSON)
class AuditResource {
    private final AuditReader trail;

    AuditResource(AuditReader trail) {
        this.trail = trail;
    }

    public record AuditPage(List<AuditItem> items, @Nullable String next) {}

    @GET
    @RequiresRole(AdminRole.VIEWER)
    public AuditPage list(@Context UriInfo uri) {
        Query query = Query.of(uri, Query.FROM, Query.TO, Query.LIMIT, Query.CURSOR, "actor", "action", "kind", "id");
        AuditReader.Page page = trail.read(new AuditReader.Query(
                query.time(Query.FROM),
                query.time(Query.TO),
                query.text("actor"),
                query.text("action"),
                query.text("kind"),
                query.text("id"),
                query.afterNumber(),
                query.limit()));
        if (page.items().isEmpty()) {
            FilterCheck.requireKnownInAudit(query);
        }
        return new AuditPage(
                page.items(),
                page.next().map(id -> Query.cursor(Long.toString(id))).orElse(null));
    }
}
