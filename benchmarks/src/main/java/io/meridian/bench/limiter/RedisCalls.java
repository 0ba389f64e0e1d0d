package io.meridian.bench.limiter;

import io.lettuce.core.RedisClient;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the limiter asked of a Redis so far: calls of scripts. What scripts do within Redis is counted there too, and left
 * out here.
 */
record RedisCalls(long scripts) {
    private static final Pattern CALLS = Pattern.compile("cmdstat_eval\\w*:calls=(\\d+)");

    static RedisCalls read(RedisClient client) {
        try (var connection = client.connect()) {
            return parse(connection.sync().info("commandstats"));
        }
    }

    static RedisCalls parse(String commandStats) {
        long scripts = 0;
        Matcher matcher = CALLS.matcher(commandStats);
        while (matcher.find()) {
            scripts += Long.parseLong(matcher.group(1));
        }
        return new RedisCalls(scripts);
    }
}
