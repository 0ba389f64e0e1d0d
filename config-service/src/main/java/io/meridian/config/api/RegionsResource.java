package io.meridian.config.api;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.meridian.config.access.AdminRole;
import io.meridian.config.api.AccessFilter.RequiresRole;
import io.meridian.config.database.Timestamps;
import io.meridian.config.regions.LimiterDirectory;
import io.meridian.config.regions.LimiterDirectory.Instance;
import io.meridian.config.rules.EntryQueries;
import io.meridian.model.wire.InstanceReport;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Regions: the revision that each limiter runs, and the delay of the exchange with the leaders of shared limits. */
@Path(EntriesResource.BASE + "regions")
@Blocking
@Produces(MediaType.APPLICATION_JSON)
class RegionsResource {
    private static final double MICROS_PER_MILLI = 1_000;
    private static final String UNMEASURED =
            "no usage of a shared limit went around in the last minute, so the loop delay is not known";

    private final LimiterDirectory limiters;
    private final EntryQueries entries;

    RegionsResource(LimiterDirectory limiters, EntryQueries entries) {
        this.limiters = limiters;
        this.entries = entries;
    }

    public record RegionPage(
            List<RegionItem> items, @Nullable String next, long revision) {}

    /**
     * One region. Its revision is the lowest, and its delays are the highest, of its live instances.
     *
     * @param revision null without a live instance
     */
    @JsonNaming(SnakeCaseStrategy.class)
    public record RegionItem(
            String region,
            @Nullable Long revision,
            @Nullable Long behind,
            LoopDelay loopDelayMs,
            double centreSilentMs,
            ConvergeBound convergeBound,
            double clockSkewMs,
            int live,
            List<InstanceItem> instances) {}

    /** Null while no loop was measured. */
    public record LoopDelay(
            @Nullable Double p50,
            @Nullable Double p99,
            @Nullable Double max) {}

    /** Bound on the excess over a converging limit of any rate, which follows from the loop delay. */
    @JsonNaming(SnakeCaseStrategy.class)
    public record ConvergeBound(
            @Nullable String formula,
            @Nullable Long excessUnitsMax,
            @Nullable String reason) {}

    @JsonNaming(SnakeCaseStrategy.class)
    public record InstanceItem(
            String instance,
            long revision,
            long behind,
            String origin,
            String keyCheck,
            String heardAt,
            boolean live) {}

    @GET
    @RequiresRole(AdminRole.VIEWER)
    public RegionPage list(@Context UriInfo uri) {
        Predicate<Instant> range = Query.of(uri, Query.FROM, Query.TO).range();
        Map<String, List<Instance>> byRegion = limiters.all().stream()
                .filter(each -> range.test(Timestamps.ofMicros(each.reportedMicros())))
                .collect(Collectors.groupingBy(Instance::region, TreeMap::new, Collectors.toList()));
        long current = entries.revision();
        List<RegionItem> items = new ArrayList<>();
        byRegion.forEach((region, instances) -> items.add(item(region, instances, current)));
        return new RegionPage(items, null, current);
    }

    private static RegionItem item(String region, List<Instance> instances, long current) {
        List<Instance> live = instances.stream().filter(Instance::live).toList();
        Long revision = live.isEmpty()
                ? null
                : live.stream()
                        .mapToLong(each -> each.report().revision())
                        .min()
                        .orElse(0);
        return new RegionItem(
                region,
                revision,
                revision == null ? null : behind(current, revision),
                loopDelay(live),
                highest(live, InstanceReport.Loop::silentMicros) / MICROS_PER_MILLI,
                convergeBound(live),
                clockSkewMs(live),
                live.size(),
                instances.stream().map(each -> item(each, current)).toList());
    }

    private static InstanceItem item(Instance instance, long current) {
        InstanceReport report = instance.report();
        return new InstanceItem(
                instance.name(),
                report.revision(),
                behind(current, report.revision()),
                report.origin(),
                report.keyCheck(),
                Timestamps.ofMicros(instance.reportedMicros()).toString(),
                instance.live());
    }

    private static LoopDelay loopDelay(List<Instance> live) {
        return isMeasured(live)
                ? new LoopDelay(
                        highest(live, InstanceReport.Loop::p50Micros) / MICROS_PER_MILLI,
                        highest(live, InstanceReport.Loop::p99Micros) / MICROS_PER_MILLI,
                        highest(live, InstanceReport.Loop::maxMicros) / MICROS_PER_MILLI)
                : new LoopDelay(null, null, null);
    }

    private static ConvergeBound convergeBound(List<Instance> live) {
        if (!isMeasured(live)) {
            return new ConvergeBound(null, null, UNMEASURED);
        }
        double delaySeconds = highest(live, InstanceReport.Loop::p99Micros) / MICROS_PER_MILLI / MICROS_PER_MILLI;
        return new ConvergeBound(
                String.format(Locale.ROOT, "limit + rate x %.3f s", delaySeconds),
                highest(live, InstanceReport.Loop::excessUnits),
                null);
    }

    private static boolean isMeasured(List<Instance> live) {
        return highest(live, InstanceReport.Loop::p99Micros) > 0;
    }

    private static double clockSkewMs(List<Instance> live) {
        return live.stream()
                        .mapToLong(each -> each.report().regionMicros() - each.reportedMicros())
                        .max()
                        .orElse(0)
                / MICROS_PER_MILLI;
    }

    private static long highest(List<Instance> live, ToLongFunction<InstanceReport.Loop> number) {
        return live.stream()
                .mapToLong(each -> number.applyAsLong(each.report().loop()))
                .max()
                .orElse(0);
    }

    /** Not negative: a limiter may have received a change after the current revision was read. */
    private static long behind(long current, long revision) {
        return Math.max(0, current - revision);
    }
}
