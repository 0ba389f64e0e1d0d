package io.meridian.config.regions;

import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.InstanceReport;
import jakarta.inject.Singleton;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The limiter instances of all regions, by what they last reported. Bounded: the longest silent goes first. */
@Singleton
public class Instances {
    private final TimeSource time;
    private final long liveMicros;
    private final long forgetMicros;
    private final int instancesMax;
    private final Map<Id, Heard> instances = new HashMap<>();

    private record Id(String region, String instance) {}

    private record Heard(InstanceReport report, long micros) {}

    Instances(RegionsConfig config, TimeSource time) {
        this.time = time;
        this.liveMicros = TimeUnit.NANOSECONDS.toMicros(config.liveWithin().toNanos());
        this.forgetMicros = TimeUnit.NANOSECONDS.toMicros(config.forgetAfter().toNanos());
        this.instancesMax = config.instancesMax();
    }

    /** An instance said this, and was heard then. What it said before does not count any more. */
    synchronized void heard(InstanceReport report, long heardMicros) {
        Id id = new Id(report.region(), report.instance());
        if (instances.size() >= instancesMax && !instances.containsKey(id)) {
            instances.entrySet().stream()
                    .min(Comparator.comparingLong(entry -> entry.getValue().micros))
                    .map(Map.Entry::getKey)
                    .ifPresent(instances::remove);
        }
        instances.put(id, new Heard(report, heardMicros));
    }

    /** All that were heard of lately, by region and name. */
    public synchronized List<Instance> all() {
        long nowMicros = time.wallMicros();
        instances.values().removeIf(heard -> nowMicros - heard.micros > forgetMicros);
        return instances.values().stream()
                .map(heard -> new Instance(heard.report, heard.micros, nowMicros - heard.micros <= liveMicros))
                .sorted(Comparator.comparing(Instance::region).thenComparing(Instance::name))
                .toList();
    }
}
