package io.meridian.config.regions;

import io.meridian.model.wire.InstanceReport;

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
