package io.meridian.stack.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The regions of a local stack: five, and those that are added to them. */
public final class Regions {
    public static final List<String> ALL = List.of("us-east", "us-west", "eu-west", "ap-south", "ap-northeast");

    /** Place of what belongs to no region: the sync replicas and config-service. */
    public static final String CENTRE = "centre";

    /** More would run into the ports of a region's second limiters. */
    public static final int REGIONS_MAX = 9;

    /** A number at the end would be a limiter's. */
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*");

    private static final int NAME_LENGTH_MAX = 32;

    private Regions() {}

    /** The five and these. */
    public static List<String> with(List<String> added) {
        List<String> regions = new ArrayList<>(ALL);
        for (String name : added) {
            if (name.length() > NAME_LENGTH_MAX || !NAME.matcher(name).matches() || name.equals(CENTRE)) {
                throw new IllegalArgumentException(
                        "a region's name must be words of a-z and 0-9 with - between them, at most " + NAME_LENGTH_MAX
                                + " characters and not " + CENTRE + ", got " + name);
            }
            if (regions.contains(name)) {
                throw new IllegalArgumentException("there already is a region " + name);
            }
            regions.add(name);
        }
        if (regions.size() > REGIONS_MAX) {
            throw new IllegalArgumentException(
                    "there can be at most " + REGIONS_MAX + " regions, got " + regions.size());
        }
        return List.copyOf(regions);
    }

    /** Every place that reaches Kafka by a link of its own: the centre first, then these regions. */
    public static List<String> places(List<String> regions) {
        return Stream.concat(Stream.of(CENTRE), regions.stream()).toList();
    }
}
