package io.meridian.config.api;

import io.meridian.config.access.Role;
import io.meridian.config.api.AccessFilter.RequiresRole;
import io.meridian.config.history.HistoryFilter;
import io.meridian.config.history.UsageQueries;
import io.meridian.config.history.UsageQueries.UsageCurve;
import io.meridian.model.policy.Policy;
import io.meridian.model.rule.Rules;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Consumption of a policy over time; also of a deleted one. */
@Path(EntriesResource.BASE + "policies/{policy}/usage")
@Blocking
@Produces(MediaType.APPLICATION_JSON)
class PolicyUsageResource {
    private final UsageQueries history;
    private final FilterCheck filters;

    PolicyUsageResource(UsageQueries history, FilterCheck filters) {
        this.history = history;
        this.filters = filters;
    }

    public record UsageAnswer(
            String policy,
            String from,
            String to,
            String step,
            long consumed,
            Map<String, Long> regions,
            List<UsagePoint> points) {}

    public record UsagePoint(String at, long consumed, Map<String, Long> regions) {}

    @GET
    @RequiresRole(Role.VIEWER)
    public UsageAnswer usage(@PathParam("policy") String policy, @Context UriInfo uri) {
        Query query = Query.of(uri, Query.FROM, Query.TO, "key", "region");
        if (!Policy.isId(policy)) {
            throw Rules.broken("policy", policy, "must be the id of a policy");
        }
        HistoryFilter filter = new HistoryFilter(
                history.usageRange(query.time(Query.FROM), query.time(Query.TO)),
                Optional.of(policy),
                query.text("key"),
                query.text("region"));
        UsageCurve curve = history.usage(filter);
        if (curve.points().isEmpty()) {
            filters.requireKnown(query);
        }
        return new UsageAnswer(
                policy,
                curve.range().from().toString(),
                curve.range().to().toString(),
                curve.step().text(),
                curve.consumed(),
                curve.regions(),
                curve.points().stream()
                        .map(point -> new UsagePoint(point.at().toString(), point.consumed(), point.regions()))
                        .toList());
    }
}
