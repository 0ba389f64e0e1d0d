package io.meridian.stack.servers;

/** Which redis-server to run. */
public enum RedisRelease {
    /** The machine's own where there is one, unless {@code MERIDIAN_REDIS=bundled} says otherwise; else the bundled one. */
    PREFERRED,
    /** The machine's own, which must be there. */
    INSTALLED,
    /** The one of a jar: Redis 6.2, the oldest we support. */
    BUNDLED
}
