package io.meridian.chaos.drill.file;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;

/** The drills that come with the product. */
public final class BuiltInDrills {
    public static final List<String> NAMES = List.of(
            "cut-one-region",
            "cut-two-regions",
            "split-brain",
            "one-way-cut",
            "slow-link-300ms",
            "flapping-link",
            "kill-leader",
            "freeze-leader",
            "kill-limiter",
            "kill-redis",
            "wipe-redis",
            "freeze-redis",
            "kafka-outage",
            "postgres-outage",
            "rolling-restart",
            "cold-regions",
            "first-burst");

    private BuiltInDrills() {}

    public static Drill read(String name) throws IOException {
        String file = "/drills/" + name + ".yaml";
        try (InputStream in = BuiltInDrills.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalArgumentException("drill must be a file or one of " + NAMES + ", got " + name);
            }
            return DrillFile.read(file, name, in.readAllBytes(), Map.of());
        }
    }
}
