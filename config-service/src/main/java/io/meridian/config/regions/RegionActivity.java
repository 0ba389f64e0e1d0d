package io.meridian.config.regions;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.meridian.config.database.Timestamps;
import io.meridian.config.regions.LimiterDirectory.Instance;
import io.meridian.model.wire.InstanceReport;
import io.meridian.model.wire.InstanceReport.Checks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * State of the regions by the reports of their limiters. A rate is the difference of an instance's last two reports over the time
 * between them by its own clock; a region's rate is the sum over the instances that report.
 */
public final class RegionActivity {
    private static final double MICROS_PER_MILLI = 1_000;
    private static final double MICROS_PER_SECOND = 1_000_000;
    private static final double TENTHS = 10;

    private final long silentMicros;
    private final long leaderSilentMicros;
    private Map<String, Measured> measured = Map.of();

    public RegionActivity(Duration silentAfter, Duration leaderSilentAfter) {
        this.silentMicros = TimeUnit.NANOSECONDS.toMicros(silentAfter.toNanos());
        this.leaderSilentMicros = TimeUnit.NANOSECONDS.toMicros(leaderSilentAfter.toNanos());
    }

    /** The state of all regions, and who leads. */
    public record RegionStates(String at, List<RegionState> regions, List<PartitionLeader> leaders) {}

    /**
     * One region. Delays are the highest of the instances that report; rates are null until two reports were received.
     *
     * @param reporting instances that report
     * @param reportAgeMs time since the last report of any instance
     * @param stalenessMs time since the last message of the leader that has been silent longest, at the last report
     */
    @JsonNaming(SnakeCaseStrategy.class)
    public record RegionState(
            String region,
            int reporting,
            @Nullable Double checksPerSecond,
            @Nullable Double deniedPerSecond,
            @Nullable Double degradedPerSecond,
            @Nullable DelayMillis loopDelayMs,
            @Nullable Double stalenessMs,
            double reportAgeMs,
            @Nullable CutOff cutOff) {}

    public record DelayMillis(double p50, double p99, double max) {}

    /**
     * Loss of contact with a region.
     *
     * @param reason {@code no_report}: nothing arrives from the region; {@code no_leader}: the region receives nothing of a leader
     */
    public record CutOff(String since, String reason) {}

    public record PartitionLeader(int partition, String replica) {}

    private record Rates(double checks, double denied, double degraded) {}

    private record Measured(InstanceReport report, @Nullable Rates rates) {}

    /** The state now. Rates are measured between calls, so it is to be called at least as often as limiters report. */
    public RegionStates observe(List<Instance> instances, long nowMicros) {
        Map<String, Measured> next = new HashMap<>();
        for (Instance each : instances) {
            next.put(id(each), measure(measured.get(id(each)), each.report()));
        }
        measured = next;
        Map<String, List<Instance>> byRegion =
                instances.stream().collect(Collectors.groupingBy(Instance::region, TreeMap::new, Collectors.toList()));
        List<RegionState> regions = new ArrayList<>();
        byRegion.values().forEach(each -> regions.add(state(each, nowMicros)));
        return new RegionStates(Timestamps.ofMicros(nowMicros).toString(), regions, leaders(instances, nowMicros));
    }

    private static String id(Instance instance) {
        return instance.region() + "/" + instance.name();
    }

    private static Measured measure(@Nullable Measured before, InstanceReport report) {
        if (before == null || report.atMicros() < before.report.atMicros()) {
            return new Measured(report, null);
        }
        if (report.atMicros() == before.report.atMicros()) {
            return before;
        }
        double seconds = (report.atMicros() - before.report.atMicros()) / MICROS_PER_SECOND;
        Checks now = report.checks();
        Checks then = before.report.checks();
        return new Measured(
                report,
                new Rates(
                        (now.answered() - then.answered()) / seconds,
                        (now.denied() - then.denied()) / seconds,
                        (now.degraded() - then.degraded()) / seconds));
    }

    private RegionState state(List<Instance> instances, long nowMicros) {
        long lastMicros =
                instances.stream().mapToLong(Instance::reportedMicros).max().orElse(0);
        List<Instance> reporting =
                instances.stream().filter(each -> isReporting(each, nowMicros)).toList();
        return new RegionState(
                instances.get(0).region(),
                reporting.size(),
                rate(reporting, Rates::checks),
                rate(reporting, Rates::denied),
                rate(reporting, Rates::degraded),
                delay(reporting),
                reporting.isEmpty() ? null : highest(reporting, InstanceReport.Loop::silentMicros) / MICROS_PER_MILLI,
                Math.max(0, nowMicros - lastMicros) / MICROS_PER_MILLI,
                cutOff(reporting, lastMicros));
    }

    private boolean isReporting(Instance instance, long nowMicros) {
        return nowMicros - instance.reportedMicros() < silentMicros;
    }

    /** Cut off as a whole: one instance that is in contact keeps its region in contact. */
    private @Nullable CutOff cutOff(List<Instance> reporting, long lastMicros) {
        if (reporting.isEmpty()) {
            return new CutOff(Timestamps.ofMicros(lastMicros).toString(), "no_report");
        }
        long sinceMicros = Long.MIN_VALUE;
        for (Instance each : reporting) {
            long silent = each.report().loop().silentMicros();
            if (silent < leaderSilentMicros) {
                return null;
            }
            sinceMicros = Math.max(sinceMicros, each.reportedMicros() - silent);
        }
        return new CutOff(Timestamps.ofMicros(Math.max(0, sinceMicros)).toString(), "no_leader");
    }

    private @Nullable Double rate(List<Instance> reporting, ToDoubleFunction<Rates> which) {
        double sum = 0;
        boolean known = false;
        for (Instance each : reporting) {
            Measured rates = measured.get(id(each));
            if (rates != null && rates.rates != null) {
                known = true;
                sum += which.applyAsDouble(rates.rates);
            }
        }
        return known ? Math.round(sum * TENTHS) / TENTHS : null;
    }

    private static @Nullable DelayMillis delay(List<Instance> reporting) {
        long p99 = highest(reporting, InstanceReport.Loop::p99Micros);
        return p99 == 0
                ? null
                : new DelayMillis(
                        highest(reporting, InstanceReport.Loop::p50Micros) / MICROS_PER_MILLI,
                        p99 / MICROS_PER_MILLI,
                        highest(reporting, InstanceReport.Loop::maxMicros) / MICROS_PER_MILLI);
    }

    private static long highest(List<Instance> reporting, ToLongFunction<InstanceReport.Loop> number) {
        return reporting.stream()
                .mapToLong(each -> number.applyAsLong(each.report().loop()))
                .max()
                .orElse(0);
    }

    /** By the instance that reported last, of those that know: leaders change while a region is cut off. */
    private List<PartitionLeader> leaders(List<Instance> instances, long nowMicros) {
        SortedMap<Integer, String> leaders = new TreeMap<>();
        instances.stream()
                .filter(each -> isReporting(each, nowMicros))
                .sorted((one, other) -> Long.compare(one.reportedMicros(), other.reportedMicros()))
                .forEach(each -> leaders.putAll(each.report().leaders()));
        return leaders.entrySet().stream()
                .map(each -> new PartitionLeader(each.getKey(), each.getValue()))
                .toList();
    }
}
