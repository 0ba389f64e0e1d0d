package io.meridian.stack.topology;

import java.util.List;

/** The regions of the local stack. */
public final class Regions {
    public static final List<String> ALL = List.of("us-east", "us-west", "eu-west", "ap-south", "ap-northeast");

    /** Where what belongs to no region stands: the sync replicas and config-service. */
    public static final String CENTRE = "centre";

    private Regions() {}
}
