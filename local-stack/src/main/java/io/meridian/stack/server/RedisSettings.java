package io.meridian.stack.server;

import java.nio.file.Path;

/**
 * Where a Redis keeps its data and log, and at which port of 127.0.0.1 it listens.
 *
 * @param name how messages call it: a stack has one per region
 */
public record RedisSettings(String name, Path directory, Path log, int port, Durability durability) {}
