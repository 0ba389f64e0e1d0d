package io.meridian.service.secret;

import io.smallrye.config.ConfigMapping;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Settings of the secret under which limiters name counters and shards, and sync replicas know the shards of limits; one of the two must be set, to the
 * same in all limiters and sync replicas.
 */
@ConfigMapping(prefix = "meridian.keys")
public interface KeysConfig {
    /** 32 hex digits. */
    Optional<String> secret();

    /** A file with them. */
    Optional<Path> secretFile();
}
