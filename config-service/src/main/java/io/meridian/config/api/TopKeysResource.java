package io.meridian.config.api;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.meridian.config.access.Role;
import io.meridian.config.api.AccessFilter.RequiresRole;
import io.meridian.config.history.HistoryFilter;
import io.meridian.config.history.TimeRange;
import io.meridian.config.history.UsageQueries;
import io.meridian.config.history.UsageQueries.HotKey;
import io.meridian.config.history.ViolationQueries;
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

/** The keys denied most, and those that consume most. There is one page, so next is null. */
@Path(EntriesResource.BASE)
@Blocking
@Produces(MediaType.APPLICATION_JSON)
class TopKeysResource {
    private final UsageQueries history;
    private final ViolationQueries violations;
    private final FilterCheck filters;

    TopKeysResource(UsageQueries history, ViolationQueries violations, FilterCheck filters) {
        this.history = history;
        this.violations = violations;
        this.filters = filters;
    }

    public record OffenderPage(
            String from,
            String to,
            List<OffenderItem> items,
            @Nullable String next) {}

    @JsonNaming(SnakeCaseStrategy.class)
    public record OffenderItem(String policy, String key, long denied, long shadow, String lastAt) {}

    public record HotKeyPage(
            String from,
            String to,
            List<HotKey> items,
            @Nullable String next) {}

    @GET
    @Path("top-offenders")
    @RequiresRole(Role.VIEWER)
    public OffenderPage topOffenders(@Context UriInfo uri) {
        Query query = query(uri);
        TimeRange range = history.violationRange(query.time(Query.FROM), query.time(Query.TO));
        List<OffenderItem> items = violations.topOffenders(filter(query, range), query.limit()).stream()
                .map(each -> new OffenderItem(
                        each.policy(),
                        each.key(),
                        each.denied(),
                        each.recorded(),
                        each.lastAt().toString()))
                .toList();
        checkIfEmpty(items, query);
        return new OffenderPage(range.from().toString(), range.to().toString(), items, null);
    }

    @GET
    @Path("hot-keys")
    @RequiresRole(Role.VIEWER)
    public HotKeyPage hotKeys(@Context UriInfo uri) {
        Query query = query(uri);
        TimeRange range = history.usageRange(query.time(Query.FROM), query.time(Query.TO));
        List<HotKey> items = history.hotKeys(filter(query, range), query.limit());
        checkIfEmpty(items, query);
        return new HotKeyPage(range.from().toString(), range.to().toString(), items, null);
    }

    private void checkIfEmpty(List<?> items, Query query) {
        if (items.isEmpty()) {
            filters.requireKnown(query);
        }
    }

    private static Query query(UriInfo uri) {
        return Query.of(uri, Query.FROM, Query.TO, Query.LIMIT, "policy", "region");
    }

    private static HistoryFilter filter(Query query, TimeRange range) {
        return new HistoryFilter(range, query.text("policy"), Optional.empty(), query.text("region"));
    }
}
