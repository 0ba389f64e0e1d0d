package io.meridian.config.api;

import io.meridian.config.api.AccessFilter.RequiresRole;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.access.Role;
import io.meridian.config.history.UsageQueries;
import io.meridian.config.history.HistoryFilter;
import io.meridian.config.history.ViolationQueries.Cursor;
import io.meridian.config.history.ViolationQueries;
import io.meridian.config.database.Timestamps;
import io.meridian.model.wire.ViolationRecord;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.util.Optional;

/** The log of what was refused, the latest first. */
@Path(EntriesResource.BASE + "violations")
@Blocking
@Produces(MediaType.APPLICATION_JSON)
class ViolationsResource {
    private final UsageQueries history;
    private final ViolationQueries violations;
    private final FilterCheck known;

    ViolationsResource(UsageQueries history, ViolationQueries violations, FilterCheck known) {
        this.history = history;
        this.violations = violations;
        this.known = known;
    }

    @GET
    @RequiresRole(Role.VIEWER)
    public String list(@Context UriInfo uri) {
        Query query = Query.of(uri, Query.FROM, Query.TO, Query.LIMIT, Query.CURSOR, "policy", "key", "region");
        HistoryFilter filter = new HistoryFilter(
                history.violationRange(query.time(Query.FROM), query.time(Query.TO)),
                query.text("policy"),
                query.text("key"),
                query.text("region"));
        ViolationQueries.Page page = violations.page(filter, query.after().map(ViolationsResource::cursor), query.limit());
        if (page.items().isEmpty()) {
            known.foundNothing(query);
        }
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("from", filter.range().from().toString())
                .put("to", filter.range().to().toString());
        ArrayNode items = json.putArray("items");
        page.items().forEach(item -> items.add(toJson(item)));
        json.put("next", page.next().map(last -> Query.cursor(last.toString())).orElse(null));
        return json.toString();
    }

    private static Cursor cursor(String after) {
        Optional<Cursor> cursor = Cursor.parse(after);
        return cursor.orElseThrow(() -> Query.refused(Query.CURSOR, after, "must be the next of an earlier answer"));
    }

    private static ObjectNode toJson(ViolationRecord item) {
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("at", Timestamps.ofMicros(item.lastMicros()).toString())
                .put("first_at", Timestamps.ofMicros(item.firstMicros()).toString())
                .put("policy", item.policyId())
                .put("policy_version", item.policyVersion())
                .put("key", item.key())
                .put("region", item.region())
                .put("count", item.count())
                .put("cost", item.cost())
                .put("shadow", item.shadow())
                .put("endpoint", item.endpoint())
                .put("method", item.method());
        boolean isLimitKnown = item.limit() > 0;
        return json.put("limit", isLimitKnown ? item.limit() : null)
                .put("used", isLimitKnown ? item.used() : null)
                .put("window", isLimitKnown ? item.window() : null);
    }
}
