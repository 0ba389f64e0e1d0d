package io.meridian.sync.regions;

import io.meridian.model.time.TimeSource;
import io.meridian.sync.SyncConfig;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** All regions that were heard of, in the order of their names. Further ones than {@link #REGIONS_MAX} are not watched. */
@Singleton
public class RegionStats {
    static final int REGIONS_MAX = 64;

    private final TimeSource time;
    private final Duration alert;
    private final MeterRegistry registry;
    /** Percentiles of the last minute, for this replica's own answers: they do not add up over replicas. */
    private final MeterRegistry recent = new SimpleMeterRegistry();

    private final Map<String, Region> regions = new ConcurrentSkipListMap<>();

    public RegionStats(TimeSource time, SyncConfig config, MeterRegistry registry) {
        this.time = time;
        this.alert = config.skewAlert();
        this.registry = registry;
    }

    /** A report was heard soon after it was made. */
    public void heard(String region, long sentMicros, long appendedMicros) {
        Region known = region(region);
        if (known != null) {
            known.heard(sentMicros, appendedMicros);
        }
    }

    /** What a region reported went into a committed verdict after so long. */
    public void answered(String region, long delayMicros) {
        Region known = region(region);
        if (known != null) {
            known.answered(delayMicros);
        }
    }

    public List<RegionStatus> status() {
        return regions.values().stream().map(Region::status).toList();
    }

    private @Nullable Region region(String name) {
        Region known = regions.get(name);
        if (known == null && regions.size() < REGIONS_MAX) {
            known = regions.computeIfAbsent(name, each -> new Region(each, time, alert, registry, recent));
        }
        return known;
    }

    /**
     * What is known of a region.
     *
     * @param clockSkewMicros how far its clock is ahead, null if it has not been heard lately
     * @param loopDelay null if this replica has not answered it lately
     * @param heardMicros when it was last heard
     */
    public record RegionStatus(
            String region,
            @Nullable Long clockSkewMicros,
            @Nullable LoopDelay loopDelay,
            long heardMicros) {}

    /** How long a region's usage took to be in a committed verdict, in the last minute. */
    public record LoopDelay(double p50Millis, double p99Millis, double maxMillis) {}
}
