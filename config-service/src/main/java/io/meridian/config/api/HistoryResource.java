package io.meridian.config.api;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.meridian.config.access.AdminRole;
import io.meridian.config.api.AccessFilter.OpenToTenantAdmins;
import io.meridian.config.api.AccessFilter.RequiresRole;
import io.meridian.config.database.Timestamps;
import io.meridian.config.history.HistoryFilter;
import io.meridian.config.history.TimeRange;
import io.meridian.config.history.UsageQueries;
import io.meridian.config.history.UsageQueries.HotKey;
import io.meridian.config.history.UsageQueries.UsageCurve;
import io.meridian.config.history.ViolationQueries;
import io.meridian.config.history.ViolationQueries.Cursor;
import io.meridian.model.policy.Policy;
import io.meridian.model.validation.Validator;
import io.meridian.model.wire.ViolationRecord;
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
import org.jspecify.annotations.Nullable;

/** Endpoints of recorded usage and violations. */
final class HistoryResource {
    private HistoryResource() {}

    /** Consumption of a policy over time; also of a deleted one. */
    @Path(EntriesResource.BASE + "policies/{policy}/usage")
    @OpenToTenantAdmins
    @Blocking
    @Produces(MediaType.APPLICATION_JSON)
    static class PolicyUsageResource {
        private final UsageQueries history;
        private final FilterCheck filters;
        private final TenantScope tenants;

        PolicyUsageResource(UsageQueries history, FilterCheck filters, TenantScope tenants) {
            this.history = history;
            this.filters = filters;
            this.tenants = tenants;
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
        @RequiresRole(AdminRole.VIEWER)
        public UsageAnswer usage(@PathParam("policy") String policy, @Context UriInfo uri) {
            Query query = Query.of(uri, Query.FROM, Query.TO, "key", "region");
            if (!Policy.isId(policy)) {
                throw Validator.invalid("policy", policy, "must be the id of a policy");
            }
            tenants.requireOwn(policy);
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

    /** The keys denied most, and those that consume most. There is one page, so next is null. */
    @Path(EntriesResource.BASE)
    @Blocking
    @Produces(MediaType.APPLICATION_JSON)
    static class TopKeysResource {
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
        @RequiresRole(AdminRole.VIEWER)
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
        @RequiresRole(AdminRole.VIEWER)
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

    /** The log of violations, latest first. */
    @Path(EntriesResource.BASE + "violations")
    @Blocking
    @Produces(MediaType.APPLICATION_JSON)
    static class ViolationsResource {
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
        @RequiresRole(AdminRole.VIEWER)
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
            return cursor.orElseThrow(
                    () -> Query.refused(Query.CURSOR, after, "must be the next of an earlier answer"));
        }
    }
}
