package io.meridian.sync;

import io.smallrye.config.ConfigMapping;
import java.nio.file.Path;
import java.util.Optional;

/** The secret under which a sync replica knows the shards of limits; one of the two must be set, to the same in all limiters and sync replicas. */
@ConfigMapping(prefix = "meridian.keys")
public interface KeysConfig {
    /** 32 hex digits. */
    Optional<String> secret();

    /** A file with them. */
    Optional<Path> secretFile();
}
