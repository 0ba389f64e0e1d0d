package io.meridian.model.wire;

import io.meridian.model.validation.Validator;

/**
 * What a limiter instance says of itself: which rules it runs. The newest of an instance counts.
 *
 * @param instance unique among all processes that ever ran
 * @param revision of the central rulebook, 0 if its rules are of none
 * @param origin where its rules came from: {@code topic}, {@code file}, {@code copy} or {@code defaults}
 * @param confirmedMicros its wall clock when its source last said that they are still the newest
 * @param atMicros its wall clock when it said this
 * @param regionMicros the region's time when it said this
 * @param loop how it and the centre talk about limits that regions share
 * @param keyCheck the check value of the secret under which it names counters, empty if it does not say
 */
public record InstanceReport(
        String region,
        String instance,
        long revision,
        String origin,
        long confirmedMicros,
        long atMicros,
        long regionMicros,
        Loop loop,
        String keyCheck) {
    public static final int NAME_MAX = 128;
    static final int ORIGIN_MAX = 32;
    static final int KEY_CHECK_MAX = 32;

    /**
     * The loop from reporting usage to applying the verdict on it, over the last minute.
     *
     * @param p99Micros what one in a hundred exceeds; 0 if there was no loop
     * @param silentMicros how long ago the leader that has been silent longest was heard of
     * @param excessUnits the most by which a converging limit may now be exceeded: its rate times the delay
     */
    public record Loop(long p50Micros, long p99Micros, long maxMicros, long silentMicros, long excessUnits) {
        public static final Loop NONE = new Loop(0, 0, 0, 0, 0);
    }

    public InstanceReport(
            String region,
            String instance,
            long revision,
            String origin,
            long confirmedMicros,
            long atMicros,
            long regionMicros) {
        this(region, instance, revision, origin, confirmedMicros, atMicros, regionMicros, Loop.NONE, "");
    }

    public InstanceReport {
        Validator rules = new Validator();
        WireNames.check(rules, "region", region, NAME_MAX);
        WireNames.check(rules, "instance", instance, NAME_MAX);
        WireNames.check(rules, "origin", origin, ORIGIN_MAX);
        if (!keyCheck.isEmpty()) {
            WireNames.check(rules, "key_check", keyCheck, KEY_CHECK_MAX);
        }
        rules.require(revision >= 0, "revision", revision, "must not be negative")
                .throwIfBroken();
    }
}
