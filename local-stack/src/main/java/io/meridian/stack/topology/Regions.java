package io.meridian.stack.topology;

import java.util.List;
import java.util.stream.Stream;

/** The regions of the local stack. */
public final class Regions {
    public static final List<String> ALL = List.of("us-east", "us-west", "eu-west", "ap-south", "ap-northeast");

    /** Where what belongs to no region stands: the sync replicas and config-service. */
    public static final String CENTRE = "centre";

    /** Every place that reaches Kafka by a link of its own: the centre first, then the regions. */
    public static final List<String> PLACES =
            Stream.concat(Stream.of(CENTRE), ALL.stream()).toList();

    private Regions() {}
}
