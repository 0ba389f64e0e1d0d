package io.meridian.config.regions;

import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.InstanceReport;
import jakarta.inject.Singleton;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/** The limiter instances of all regions, by what they last reported. Bounded: the longest silent goes first. */
@Singleton
public class LimiterDirectory {
    private static final Logger LOG = Logger.getLogger(LimiterDirectory.class);

    private final TimeSource time;
    private final long liveMicros;
    private final long forgetMicros;
    private final int instancesMax;
    private final Map<Id, Heard> instances = new HashMap<>();
    private boolean secretsDiffer;

    private record Id(String region, String instance) {}

    private record Heard(InstanceReport report, long micros) {}

    LimiterDirectory(RegionsConfig config, TimeSource time) {
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
        Heard before = instances.put(id, new Heard(report, heardMicros));
        if (before == null || !before.report.keyCheck().equals(report.keyCheck())) {
            compareSecret(report);
        }
    }

    /** Limiters with different secrets count the same client apart, and report it to different leaders. Told once until they agree. */
    private void compareSecret(InstanceReport report) {
        Optional<InstanceReport> other = live().map(Heard::report)
                .filter(each -> !each.keyCheck().isEmpty() && !each.keyCheck().equals(report.keyCheck()))
                .findFirst();
        boolean differs = other.isPresent() && !report.keyCheck().isEmpty();
        if (differs && !secretsDiffer) {
            LOG.errorf(
                    "limiters have different secrets and count apart, meridian.keys.secret must be the same in all:"
                            + " %s/%s check=%s, %s/%s check=%s",
                    report.region(),
                    report.instance(),
                    report.keyCheck(),
                    other.get().region(),
                    other.get().instance(),
                    other.get().keyCheck());
        }
        secretsDiffer = differs;
    }

    /** How many different secrets the live instances have: 1 if all is well, 0 if none has said. */
    public synchronized int secrets() {
        return Math.toIntExact(live().map(each -> each.report.keyCheck())
                .filter(check -> !check.isEmpty())
                .distinct()
                .count());
    }

    private Stream<Heard> live() {
        long nowMicros = time.wallMicros();
        return instances.values().stream().filter(heard -> nowMicros - heard.micros <= liveMicros);
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

    /**
     * A limiter instance as it was last heard of.
     *
     * @param heardMicros by this machine's wall clock
     */
    public record Instance(InstanceReport report, long heardMicros, boolean live) {
        public String region() {
            return report.region();
        }

        public String name() {
            return report.instance();
        }
    }
}
