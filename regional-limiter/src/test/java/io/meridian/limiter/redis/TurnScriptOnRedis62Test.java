package io.meridian.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.stack.servers.RedisServer.RedisRelease;
import org.junit.jupiter.api.Test;

/** The contract on the oldest Redis we support. */
class TurnScriptOnRedis62Test extends TurnScriptContract {
    TurnScriptOnRedis62Test() {
        super(RedisRelease.BUNDLED);
    }

    @Test
    void it_really_is_that_release() {
        assertThat(redis().info("server", "redis_version")).startsWith("6.2.");
    }
}
