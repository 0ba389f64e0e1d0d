package io.meridian.model.wire;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.model.validation.Validator;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Report of a limiter instance on itself: which rules it runs, and how far behind the leaders it is. The newest of an instance counts. As JSON:
 * reports are few and small, and people read them when something is wrong.
 *
 * @param instance unique among all processes that ever ran
 * @param revision of the central rulebook, 0 if its rules are of none
 * @param origin where its rules came from: {@code topic}, {@code file}, {@code copy} or {@code defaults}
 * @param confirmedMicros its wall clock when its source last confirmed that they are the newest
 * @param atMicros its wall clock when it reported
 * @param regionMicros the region's time when it reported
 * @param loop delays between it and the leaders of global limits
 * @param keyCheck the check value of the secret under which it names counters, empty if it is not reported
 * @param checks what it has answered since its start
 * @param leaders the replica that leads each partition of the usage topic, as far as this instance received its beat lately
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
        String keyCheck,
        Checks checks,
        SortedMap<Integer, String> leaders) {
    public static final int NAME_MAX = 128;
    /** The most partitions whose leaders are reported: as many as there are shards. */
    public static final int PARTITIONS_MAX = 1_024;

    static final int ORIGIN_MAX = 32;
    static final int KEY_CHECK_MAX = 32;

    /**
     * The loop from reporting usage to applying the verdict on it, over the last minute.
     *
     * @param p99Micros what one in a hundred exceeds; 0 if there was no loop
     * @param silentMicros time since the last record of the leader that has been silent longest
     * @param excessUnits the most by which a converging limit may now be exceeded: its rate times the delay
     */
    public record Loop(long p50Micros, long p99Micros, long maxMicros, long silentMicros, long excessUnits) {
        public static final Loop NONE = new Loop(0, 0, 0, 0, 0);
    }

    /**
     * Cumulative counts of checks since the start of the process; zero in reports of builds without them.
     *
     * @param denied of {@code answered}, those over a limit or on the deny list
     * @param degraded of {@code answered}, those without the region's counters
     */
    public record Checks(long answered, long denied, long degraded) {
        public static final Checks NONE = new Checks(0, 0, 0);
    }

    public InstanceReport(
            String region,
            String instance,
            long revision,
            String origin,
            long confirmedMicros,
            long atMicros,
            long regionMicros,
            Loop loop,
            String keyCheck) {
        this(
                region,
                instance,
                revision,
                origin,
                confirmedMicros,
                atMicros,
                regionMicros,
                loop,
                keyCheck,
                Checks.NONE,
                Collections.emptySortedMap());
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
        rules.requireName("region", region, NAME_MAX);
        rules.requireName("instance", instance, NAME_MAX);
        rules.requireName("origin", origin, ORIGIN_MAX);
        if (!keyCheck.isEmpty()) {
            rules.requireName("key_check", keyCheck, KEY_CHECK_MAX);
        }
        rules.require(revision >= 0, "revision", revision, "must not be negative");
        leaders.forEach((partition, replica) -> {
            rules.require(
                    partition >= 0 && partition < PARTITIONS_MAX,
                    "leaders",
                    partition,
                    "must name partitions from 0 to " + (PARTITIONS_MAX - 1));
            rules.requireName("leaders." + partition, replica, NAME_MAX);
        });
        rules.throwIfInvalid();
        leaders = Collections.unmodifiableSortedMap(new TreeMap<>(leaders));
    }

    /** The record as JSON. */
    public String encode() {
        ObjectNode record = JsonFields.newRecord()
                .put("region", region)
                .put("instance", instance)
                .put("revision", revision)
                .put("origin", origin)
                .put("confirmed_micros", confirmedMicros)
                .put("at_micros", atMicros)
                .put("region_micros", regionMicros);
        if (!loop.equals(Loop.NONE)) {
            record.put("loop_p50_micros", loop.p50Micros())
                    .put("loop_p99_micros", loop.p99Micros())
                    .put("loop_max_micros", loop.maxMicros())
                    .put("centre_silent_micros", loop.silentMicros())
                    .put("excess_units", loop.excessUnits());
        }
        if (!keyCheck.isEmpty()) {
            record.put("key_check", keyCheck);
        }
        if (!checks.equals(Checks.NONE)) {
            record.put("checks", checks.answered())
                    .put("checks_denied", checks.denied())
                    .put("checks_degraded", checks.degraded());
        }
        if (!leaders.isEmpty()) {
            ObjectNode byPartition = record.putObject("leaders");
            leaders.forEach((partition, replica) -> byPartition.put(Integer.toString(partition), replica));
        }
        return record.toString();
    }

    public static InstanceReport decode(String text) {
        return JsonFields.decode("report", text, fields -> {
            fields.require("region", "instance", "revision", "origin");
            fields.rules().throwIfInvalid();
            return new InstanceReport(
                    fields.text("region", ""),
                    fields.text("instance", ""),
                    fields.number("revision", 0),
                    fields.text("origin", ""),
                    fields.number("confirmed_micros", 0),
                    fields.number("at_micros", 0),
                    fields.number("region_micros", 0),
                    new Loop(
                            fields.number("loop_p50_micros", 0),
                            fields.number("loop_p99_micros", 0),
                            fields.number("loop_max_micros", 0),
                            fields.number("centre_silent_micros", 0),
                            fields.number("excess_units", 0)),
                    fields.text("key_check", ""),
                    new Checks(
                            fields.number("checks", 0),
                            fields.number("checks_denied", 0),
                            fields.number("checks_degraded", 0)),
                    leaders(fields));
        });
    }

    private static SortedMap<Integer, String> leaders(JsonFields fields) {
        SortedMap<Integer, String> leaders = new TreeMap<>();
        for (Map.Entry<String, String> each : fields.texts("leaders").entrySet()) {
            boolean isPartition = each.getKey().matches("[0-9]{1,4}");
            fields.rules().require(isPartition, "leaders", each.getKey(), "must name partitions by number");
            if (isPartition) {
                leaders.put(Integer.valueOf(each.getKey()), each.getValue());
            }
        }
        return leaders;
    }
}
