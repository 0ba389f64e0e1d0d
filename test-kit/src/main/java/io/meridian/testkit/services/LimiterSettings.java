package io.meridian.testkit.services;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Settings of a limiter instance of a test.
 *
 * @param properties its configuration, by the names of application.properties
 * @param jvmOptions for its Java: {@code -Xmx1g}
 */
public record LimiterSettings(Map<String, String> properties, List<String> jvmOptions) {
    /** The secret of every deployment that tests make, and what services take in test mode. */
    public static final String KEY_SECRET = "000102030405060708090a0b0c0d0e0f";

    public LimiterSettings {
        properties = Map.copyOf(properties);
        jvmOptions = List.copyOf(jvmOptions);
    }

    /** Ends without draining, and compiles with the first compiler only: it is started often and lives shortly. */
    public static LimiterSettings ofRegion(String region) {
        return new LimiterSettings(
                Map.of(
                        "meridian.limiter.region",
                        region,
                        "meridian.keys.secret",
                        KEY_SECRET,
                        "quarkus.shutdown.delay",
                        "0S"),
                List.of("-XX:TieredStopAtLevel=1"));
    }

    public LimiterSettings withRedis(String url) {
        return with("meridian.limiter.redis.hosts", url);
    }

    public LimiterSettings withKafka(String bootstrapServers) {
        return with("kafka.bootstrap.servers", bootstrapServers);
    }

    public LimiterSettings with(String property, String value) {
        Map<String, String> more = new HashMap<>(properties);
        more.put(property, value);
        return new LimiterSettings(more, jvmOptions);
    }

    public LimiterSettings withJvmOption(String option) {
        List<String> more = new ArrayList<>(jvmOptions);
        more.add(option);
        return new LimiterSettings(properties, more);
    }

    /** All of it as options of the java command. */
    List<String> options() {
        List<String> options = new ArrayList<>(jvmOptions);
        properties.forEach((name, value) -> options.add("-D" + name + "=" + value));
        return options;
    }
}
