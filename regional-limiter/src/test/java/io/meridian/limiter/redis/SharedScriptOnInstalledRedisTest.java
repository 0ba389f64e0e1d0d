package io.meridian.limiter.redis;

import io.meridian.stack.process.Executables;
import io.meridian.stack.servers.RedisServer.RedisRelease;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;

/** The contract on the machine's own Redis, which is mostly a newer one. Skipped where there is none. */
@Tag("full")
@EnabledIf(value = "isInstalled", disabledReason = "no redis-server on the PATH")
class SharedScriptOnInstalledRedisTest extends SharedScriptContract {
    SharedScriptOnInstalledRedisTest() {
        super(RedisRelease.INSTALLED);
    }

    static boolean isInstalled() {
        return Executables.onPath("redis-server").isPresent();
    }
}
