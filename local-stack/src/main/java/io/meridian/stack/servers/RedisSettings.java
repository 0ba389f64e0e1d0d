package io.meridian.stack.servers;

import java.nio.file.Path;

/**
 * Where a Redis keeps its data and log, and at which port of 127.0.0.1 it listens.
 *
 * @param name how messages call it: a stack has one per region
 * @param clustered whether it can be a node of a Redis Cluster
 */
public record RedisSettings(
        String name,
        Path directory,
        Path log,
        int port,
        Durability durability,
        RedisRelease release,
        boolean clustered) {
    /** A server that stands alone, of the preferred release. */
    public RedisSettings(String name, Path directory, Path log, int port, Durability durability) {
        this(name, directory, log, port, durability, RedisRelease.PREFERRED, false);
    }
}
