package io.meridian.limiter.rules.source;

import io.meridian.limiter.LimiterConfig.PolicyConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Settings as a deployment would give them. */
record Settings(
        Optional<PolicySource> source, Optional<Path> file, Optional<String> bootstrapServers, Optional<Path> cacheFile)
        implements PolicyConfig {
    @Override
    public Duration fileCheckInterval() {
        return Duration.ofMillis(5);
    }

    @Override
    public String topic() {
        return "policies";
    }

    @Override
    public Duration startTimeout() {
        return Duration.ofMillis(200);
    }

    @Override
    public Duration cacheWriteInterval() {
        return Duration.ofMillis(20);
    }
}
