package io.meridian.limiter.report;

import io.meridian.limiter.LimiterConfig;
import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.InstanceReport;

/** Who this process is among all limiters. */
record Identity(String region, String instance) {
    private static final int HOST_MAX = 64;

    static Identity of(LimiterConfig config, TimeSource time) {
        return new Identity(config.region(), config.instance().orElseGet(() -> generated(time)));
    }

    /** A host has at most one process of this number that started at this time. */
    static String generated(TimeSource time) {
        String host = System.getenv().getOrDefault("HOSTNAME", "limiter").replaceAll("[^A-Za-z0-9._-]", "_");
        String cut = host.isEmpty() ? "limiter" : host.substring(0, Math.min(host.length(), HOST_MAX));
        String start = Long.toString(time.wallMicros(), Character.MAX_RADIX);
        return cut + "-" + ProcessHandle.current().pid() + "-" + start;
    }

    /** The key of its records: compaction and partitioning keep them together. */
    String key() {
        return region + "/" + instance;
    }

    Identity {
        // Refuses at the start what would be refused in every report.
        InstanceReport unused = new InstanceReport(region, instance, 0, "defaults", 0, 0, 0);
    }
}
