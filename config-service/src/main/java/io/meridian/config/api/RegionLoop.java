package io.meridian.config.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.regions.LimiterDirectory.Instance;
import io.meridian.model.wire.InstanceReport;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/**
 * How a region and the centre talk about limits that regions share, by the slowest of its live instances: the loop delay, and the
 * bound that follows from it for a limit of any rate. A region in which no loop was measured states neither.
 */
final class RegionLoop {
    private static final double MICROS_PER_MILLI = 1_000;
    private static final String UNMEASURED =
            "no usage of a shared limit went around in the last minute, so the loop delay is not known";

    private RegionLoop() {}

    static void write(ObjectNode item, List<Instance> live) {
        long p99Micros = most(live, InstanceReport.Loop::p99Micros);
        boolean measured = p99Micros > 0;
        item.putObject("loop_delay_ms")
                .put("p50", measured ? most(live, InstanceReport.Loop::p50Micros) / MICROS_PER_MILLI : null)
                .put("p99", measured ? p99Micros / MICROS_PER_MILLI : null)
                .put("max", measured ? most(live, InstanceReport.Loop::maxMicros) / MICROS_PER_MILLI : null);
        item.put("centre_silent_ms", most(live, InstanceReport.Loop::silentMicros) / MICROS_PER_MILLI);
        String formula =
                String.format(Locale.ROOT, "limit + rate x %.3f s", p99Micros / MICROS_PER_MILLI / MICROS_PER_MILLI);
        item.putObject("converge_bound")
                .put("formula", measured ? formula : null)
                .put("excess_units_max", measured ? most(live, InstanceReport.Loop::excessUnits) : null)
                .put("reason", measured ? null : UNMEASURED);
        item.put(
                "clock_skew_ms",
                live.stream()
                                .mapToLong(each -> each.report().regionMicros() - each.heardMicros())
                                .max()
                                .orElse(0)
                        / MICROS_PER_MILLI);
    }

    private static long most(List<Instance> live, ToLongFunction<InstanceReport.Loop> number) {
        return live.stream()
                .mapToLong(each -> number.applyAsLong(each.report().loop()))
                .max()
                .orElse(0);
    }
}
