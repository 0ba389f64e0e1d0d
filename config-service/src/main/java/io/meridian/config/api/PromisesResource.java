package io.meridian.config.api;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.meridian.config.access.AdminRole;
import io.meridian.config.api.AccessFilter.RequiresRole;
import io.meridian.config.history.UsageQueries;
import io.meridian.config.history.promises.PromiseQueries;
import io.meridian.config.history.promises.PromiseQueries.Breach;
import io.meridian.config.history.promises.PromiseQueries.Cursor;
import io.meridian.config.history.promises.PromiseQueries.Filter;
import io.meridian.config.history.promises.PromiseQueries.Page;
import io.meridian.config.history.promises.PromiseQueries.Total;
import io.meridian.config.history.promises.PromiseQueries.Window;
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

/** The promise ledger: what ended windows of global limits admitted, and whether their bound was kept. */
@Path(EntriesResource.BASE + "promises")
@Blocking
@Produces(MediaType.APPLICATION_JSON)
class PromisesResource {
    private static final double MICROS_PER_MILLI = 1_000;
    private static final double DIGITS = 10_000;

    private final PromiseQueries promises;
    private final UsageQueries history;
    private final FilterCheck filters;

    PromisesResource(PromiseQueries promises, UsageQueries history, FilterCheck filters) {
        this.promises = promises;
        this.history = history;
        this.filters = filters;
    }

    /** Windows that ended in the range, the latest first, and totals of the whole range by policy. */
    public record PromisePage(
            String from,
            String to,
            List<PromiseItem> items,
            @Nullable String next,
            List<PromiseTotal> totals) {}

    /**
     * One window of a policy, all keys together.
     *
     * @param bound what may be admitted at most, by the conditions in the window
     * @param kept null if more was admitted and the bound is not certain, for the reason given
     * @param parts into how many parts the regions were disconnected at some time in the window
     * @param incomplete regions that were cut off at the judgement, and whose usage may be missing
     */
    @JsonNaming(SnakeCaseStrategy.class)
    public record PromiseItem(
            String policy,
            String windowStart,
            String windowEnd,
            String mode,
            long keys,
            long admitted,
            long limit,
            long bound,
            @Nullable Boolean kept,
            long over,
            double utilisation,
            long brokenKeys,
            @Nullable KeyItem worst,
            int parts,
            @Nullable Double loopDelayMs,
            List<String> incomplete,
            @Nullable String reason,
            String judgedAt) {}

    public record KeyItem(String key, long admitted, long limit, long bound) {}

    public record PromiseTotal(
            String policy,
            long windows,
            long kept,
            long broken,
            long unknown,
            long admitted,
            long limit,
            double utilisation,
            long over) {}

    public record BreachPage(
            String from,
            String to,
            List<BreachItem> items,
            @Nullable String next) {}

    /** A key that admitted more than its bound in one window. */
    @JsonNaming(SnakeCaseStrategy.class)
    public record BreachItem(
            String policy,
            String key,
            String windowStart,
            String windowEnd,
            long admitted,
            long limit,
            long bound,
            long over) {}

    @GET
    @RequiresRole(AdminRole.VIEWER)
    public PromisePage list(@Context UriInfo uri) {
        Query query = Query.of(uri, Query.FROM, Query.TO, Query.LIMIT, Query.CURSOR, "policy", "kept");
        Filter filter = filter(query, query.bool("kept"));
        Page<Window> page = promises.windows(filter, cursor(query), query.limit());
        List<Total> totals = promises.totals(filter);
        if (totals.isEmpty()) {
            filters.requireKnown(query);
        }
        return new PromisePage(
                filter.range().from().toString(),
                filter.range().to().toString(),
                page.items().stream().map(PromisesResource::item).toList(),
                next(page),
                totals.stream().map(PromisesResource::total).toList());
    }

    @GET
    @Path("broken")
    @RequiresRole(AdminRole.VIEWER)
    public BreachPage broken(@Context UriInfo uri) {
        Query query = Query.of(uri, Query.FROM, Query.TO, Query.LIMIT, Query.CURSOR, "policy", "key");
        Filter filter = filter(query, Optional.empty());
        Page<Breach> page = promises.breaches(filter, query.text("key"), cursor(query), query.limit());
        if (page.items().isEmpty()) {
            filters.requireKnown(query);
        }
        return new BreachPage(
                filter.range().from().toString(),
                filter.range().to().toString(),
                page.items().stream().map(PromisesResource::breach).toList(),
                next(page));
    }

    private Filter filter(Query query, Optional<Boolean> kept) {
        return new Filter(
                history.promiseRange(query.time(Query.FROM), query.time(Query.TO)), query.text("policy"), kept);
    }

    private static Optional<Cursor> cursor(Query query) {
        return query.after().map(text -> Cursor.parse(text)
                .orElseThrow(() -> Query.refused(Query.CURSOR, text, "must be the next of an earlier answer")));
    }

    private static @Nullable String next(Page<?> page) {
        return page.next().map(last -> Query.cursor(last.toString())).orElse(null);
    }

    private static PromiseItem item(Window window) {
        Breach worst = window.worst();
        return new PromiseItem(
                window.policy(),
                window.start().toString(),
                window.end().toString(),
                window.escrow() ? "escrow" : "converge",
                window.keys(),
                window.admitted(),
                window.limit(),
                window.bound(),
                window.kept(),
                window.over(),
                utilisation(window.admitted(), window.limit()),
                window.brokenKeys(),
                worst == null ? null : new KeyItem(worst.key(), worst.admitted(), worst.limit(), worst.bound()),
                window.parts(),
                window.loopMicros() == 0 ? null : window.loopMicros() / MICROS_PER_MILLI,
                window.incomplete(),
                window.reason(),
                window.judgedAt().toString());
    }

    private static PromiseTotal total(Total total) {
        return new PromiseTotal(
                total.policy(),
                total.windows(),
                total.kept(),
                total.broken(),
                total.unknown(),
                total.admitted(),
                total.limit(),
                utilisation(total.admitted(), total.limit()),
                total.over());
    }

    private static BreachItem breach(Breach breach) {
        return new BreachItem(
                breach.policy(),
                breach.key(),
                breach.start().toString(),
                breach.end().toString(),
                breach.admitted(),
                breach.limit(),
                breach.bound(),
                breach.admitted() - breach.bound());
    }

    /** Share of the limit in four digits. */
    private static double utilisation(long admitted, long limit) {
        return limit == 0 ? 0 : Math.round(admitted * DIGITS / limit) / DIGITS;
    }
}
