package io.meridian.config.api;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.meridian.config.access.Role;
import io.meridian.config.api.AccessFilter.RequiresRole;
import io.meridian.config.database.Timestamps;
import io.meridian.config.history.HistoryFilter;
import io.meridian.config.history.UsageQueries;
import io.meridian.config.history.ViolationQueries;
import io.meridian.config.history.ViolationQueries.Cursor;
import io.meridian.model.wire.ViolationRecord;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The log of violations, latest first. */
@Path(EntriesResource.BASE + "violations")
@Blocking
@Produces(MediaType.APPLICATION_JSON)
class ViolationsResource {
    private final UsageQueries history;
    private final ViolationQueries violations;
    private final FilterCheck filters;

    ViolationsResource(UsageQueries history, ViolationQueries violations, FilterCheck filters) {
        this.history = history;
        this.violations = violations;
        this.filters = filters;
    }

    public record ViolationPage(
            String from,
            String to,
            List<ViolationItem> items,
            @Nullable String next) {}

    /** Violations of one key in a row; limit, used and window are null where an earlier build did not report them. */
    @JsonNaming(SnakeCaseStrategy.class)
    public record ViolationItem(
            String at,
            String firstAt,
            String policy,
            long policyVersion,
            String key,
            String region,
            long count,
            long cost,
            boolean shadow,
            String endpoint,
            String method,
            @Nullable Long limit,
            @Nullable Long used,
            @Nullable String window) {
        static ViolationItem of(ViolationRecord violation) {
            boolean isLimitKnown = violation.limit() > 0;
            return new ViolationItem(
                    Timestamps.ofMicros(violation.lastMicros()).toString(),
                    Timestamps.ofMicros(violation.firstMicros()).toString(),
                    violation.policyId(),
                    violation.policyVersion(),
                    violation.key(),
                    violation.region(),
                    violation.count(),
                    violation.cost(),
                    violation.shadow(),
                    violation.endpoint(),
                    violation.method(),
                    isLimitKnown ? violation.limit() : null,
                    isLimitKnown ? violation.used() : null,
                    isLimitKnown ? violation.window() : null);
        }
    }

    @GET
    @RequiresRole(Role.VIEWER)
    public ViolationPage list(@Context UriInfo uri) {
        Query query = Query.of(uri, Query.FROM, Query.TO, Query.LIMIT, Query.CURSOR, "policy", "key", "region");
        HistoryFilter filter = new HistoryFilter(
                history.violationRange(query.time(Query.FROM), query.time(Query.TO)),
                query.text("policy"),
                query.text("key"),
                query.text("region"));
        ViolationQueries.Page page =
                violations.page(filter, query.after().map(ViolationsResource::cursor), query.limit());
        if (page.items().isEmpty()) {
            filters.requireKnown(query);
        }
        return new ViolationPage(
                filter.range().from().toString(),
                filter.range().to().toString(),
                page.items().stream().map(ViolationItem::of).toList(),
                page.next().map(last -> Query.cursor(last.toString())).orElse(null));
    }

    private static Cursor cursor(String after) {
        Optional<Cursor> cursor = Cursor.parse(after);
        return cursor.orElseThrow(() -> Query.refused(Query.CURSOR, after, "must be the next of an earlier answer"));
    }
}
