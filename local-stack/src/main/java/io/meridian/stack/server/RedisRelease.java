package io.meridian.stack.server;

/** Which redis-server to run. */
public enum RedisRelease {
    /** The machine's own where there is one, else the bundled one. */
    PREFERRED,
    /** The one of a jar: Redis 6.2, the oldest we support. */
    BUNDLED
}
