package io.meridian.config;

import io.smallrye.config.ConfigMapping;
import java.nio.file.Path;
import java.util.Optional;

/** What config-service is told at its start. */
@ConfigMapping(prefix = "meridian.config")
public interface AdminConfig {
    /** The file with the first admin's token. Without one there is no such token. */
    Optional<Path> adminTokenFile();
}
