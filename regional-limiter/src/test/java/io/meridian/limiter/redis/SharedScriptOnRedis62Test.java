package io.meridian.limiter.redis;

import io.meridian.stack.servers.RedisServer.RedisRelease;

/** The contract on the oldest Redis we support. */
class SharedScriptOnRedis62Test extends SharedScriptContract {
    SharedScriptOnRedis62Test() {
        super(RedisRelease.BUNDLED);
    }
}
