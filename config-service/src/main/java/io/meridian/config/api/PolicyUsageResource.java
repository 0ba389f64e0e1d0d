package io.meridian.config.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.access.Role;
import io.meridian.config.history.History;
import io.meridian.config.history.UsageCurve;
import io.meridian.config.history.UsageFilter;
import io.meridian.model.policy.Policy;
import io.meridian.model.validation.Validator;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.util.Map;
import java.util.Optional;

/** What was consumed of a policy over time. One that is gone has a history too. */
@Path(EntriesResource.BASE + "policies/{policy}/usage")
@Blocking
@Produces(MediaType.APPLICATION_JSON)
class PolicyUsageResource {
    private final History history;
    private final KnownFilters known;

    PolicyUsageResource(History history, KnownFilters known) {
        this.history = history;
        this.known = known;
    }

    @GET
    @Needs(Role.VIEWER)
    public String usage(@PathParam("policy") String policy, @Context UriInfo uri) {
        Query query = Query.of(uri, Query.FROM, Query.TO, "key", "region");
        if (!Policy.isId(policy)) {
            throw Validator.invalid("policy", policy, "must be the id of a policy");
        }
        UsageFilter filter = new UsageFilter(
                history.usageRange(query.time(Query.FROM), query.time(Query.TO)),
                Optional.of(policy),
                query.text("key"),
                query.text("region"));
        UsageCurve curve = history.usage(filter);
        if (curve.points().isEmpty()) {
            known.foundNothing(query);
        }
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("policy", policy)
                .put("from", curve.range().from().toString())
                .put("to", curve.range().to().toString())
                .put("step", curve.step().text())
                .put("consumed", curve.consumed());
        put(json.putObject("regions"), curve.regions());
        ArrayNode points = json.putArray("points");
        curve.points().forEach(point -> {
            ObjectNode each =
                    points.addObject().put("at", point.at().toString()).put("consumed", point.consumed());
            put(each.putObject("regions"), point.regions());
        });
        return json.toString();
    }

    private static void put(ObjectNode json, Map<String, Long> units) {
        units.forEach(json::put);
    }
}
