package io.meridian.stack.servers;

import java.nio.file.Path;

/** Where a PostgreSQL keeps its data and log, and at which port of 127.0.0.1 it listens. */
public record PostgresSettings(Path directory, Path log, int port, Durability durability) {}
