package io.meridian.config.api;

import io.meridian.config.api.AccessFilter.RequiresRole;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.access.Role;
import io.meridian.config.history.UsageQueries;
import io.meridian.config.history.TimeRange;
import io.meridian.config.history.HistoryFilter;
import io.meridian.config.history.ViolationQueries;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.util.Optional;

/** The keys that stand out: those denied most, and those that consume most. One page, so there is no next. */
@Path(EntriesResource.BASE)
@Blocking
@Produces(MediaType.APPLICATION_JSON)
class TopKeysResource {
    private final UsageQueries history;
    private final ViolationQueries violations;
    private final FilterCheck known;

    TopKeysResource(UsageQueries history, ViolationQueries violations, FilterCheck known) {
        this.history = history;
        this.violations = violations;
        this.known = known;
    }

    @GET
    @Path("top-offenders")
    @RequiresRole(Role.VIEWER)
    public String topOffenders(@Context UriInfo uri) {
        Query query = query(uri);
        TimeRange range = history.violationRange(query.time(Query.FROM), query.time(Query.TO));
        ObjectNode json = answer(range);
        ArrayNode items = json.putArray("items");
        violations.topOffenders(filter(query, range), query.limit()).forEach(each -> items.addObject()
                .put("policy", each.policy())
                .put("key", each.key())
                .put("denied", each.denied())
                .put("shadow", each.recorded())
                .put("last_at", each.lastAt().toString()));
        checkIfEmpty(items, query);
        return json.putNull("next").toString();
    }

    @GET
    @Path("hot-keys")
    @RequiresRole(Role.VIEWER)
    public String hotKeys(@Context UriInfo uri) {
        Query query = query(uri);
        TimeRange range = history.usageRange(query.time(Query.FROM), query.time(Query.TO));
        ObjectNode json = answer(range);
        ArrayNode items = json.putArray("items");
        history.hotKeys(filter(query, range), query.limit()).forEach(each -> items.addObject()
                .put("policy", each.policy())
                .put("key", each.key())
                .put("consumed", each.consumed()));
        checkIfEmpty(items, query);
        return json.putNull("next").toString();
    }

    private void checkIfEmpty(ArrayNode items, Query query) {
        if (items.isEmpty()) {
            known.foundNothing(query);
        }
    }

    private static Query query(UriInfo uri) {
        return Query.of(uri, Query.FROM, Query.TO, Query.LIMIT, "policy", "region");
    }

    private static HistoryFilter filter(Query query, TimeRange range) {
        return new HistoryFilter(range, query.text("policy"), Optional.empty(), query.text("region"));
    }

    private static ObjectNode answer(TimeRange range) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("from", range.from().toString())
                .put("to", range.to().toString());
    }
}
