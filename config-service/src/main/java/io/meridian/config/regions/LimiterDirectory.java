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

/**
 * Directory of the limiter instances of all regions and their last reports. Bounded: the instance with the oldest report is
 * dropped first.
 */
@Singleton
public class LimiterDirectory {
    private static final Logger LOG = Logger.getLogger(LimiterDirectory.class);

    private final TimeSource time;
    private final long liveMicros;
    private final long forgetMicros;
    private final int instancesMax;
    private final Map<Id, LastReport> instances = new HashMap<>();
    private boolean secretsDiffer;

    private record Id(String region, String instance) {}

    private record LastReport(InstanceReport report, long micros) {}

    LimiterDirectory(RegionsConfig config, TimeSource time) {
        this.time = time;
        this.liveMicros = TimeUnit.NANOSECONDS.toMicros(config.liveWithin().toNanos());
        this.forgetMicros = TimeUnit.NANOSECONDS.toMicros(config.forgetAfter().toNanos());
        this.instancesMax = config.instancesMax();
    }

    /** Replaces the last report of an instance. */
    synchronized void report(InstanceReport report, long reportedMicros) {
        Id id = new Id(report.region(), report.instance());
        if (instances.size() >= instancesMax && !instances.containsKey(id)) {
            instances.entrySet().stream()
                    .min(Comparator.comparingLong(entry -> entry.getValue().micros))
                    .map(Map.Entry::getKey)
                    .ifPresent(instances::remove);
        }
        LastReport before = instances.put(id, new LastReport(report, reportedMicros));
        if (before == null || !before.report.keyCheck().equals(report.keyCheck())) {
            compareSecret(report);
        }
    }

    /**
     * Limiters with different secrets count the same client separately, and report it to different leaders. Logged once until
     * they agree.
     */
    private void compareSecret(InstanceReport report) {
        Optional<InstanceReport> other = live().map(LastReport::report)
                .filter(each -> !each.keyCheck().isEmpty() && !each.keyCheck().equals(report.keyCheck()))
                .findFirst();
        boolean differs = other.isPresent() && !report.keyCheck().isEmpty();
        if (differs && !secretsDiffer) {
            LOG.errorf(
                    "limiters have different secrets and count separately, meridian.keys.secret must be the same in all:"
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

    /** The number of different secrets among live instances: 1 if all is well, 0 if none has reported. */
    public synchronized int secrets() {
        return Math.toIntExact(live().map(each -> each.report.keyCheck())
                .filter(check -> !check.isEmpty())
                .distinct()
                .count());
    }

    private Stream<LastReport> live() {
        long nowMicros = time.wallMicros();
        return instances.values().stream().filter(each -> nowMicros - each.micros <= liveMicros);
    }

    /** All instances that are not forgotten yet, by region and name. */
    public synchronized List<Instance> all() {
        long nowMicros = time.wallMicros();
        instances.values().removeIf(each -> nowMicros - each.micros > forgetMicros);
        return instances.values().stream()
                .map(each -> new Instance(each.report, each.micros, nowMicros - each.micros <= liveMicros))
                .sorted(Comparator.comparing(Instance::region).thenComparing(Instance::name))
                .toList();
    }

    /**
     * Limiter instance with its last report.
     *
     * @param reportedMicros when the report was received, by this machine's wall clock
     */
    public record Instance(InstanceReport report, long reportedMicros, boolean live) {
        public String region() {
            return report.region();
        }

        public String name() {
            return report.instance();
        }
    }
}
