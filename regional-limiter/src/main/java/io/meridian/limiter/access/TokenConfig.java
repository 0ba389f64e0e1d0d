package io.meridian.limiter.access;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** The tokens that callers of the API present. Without a file and without a list everybody may call. */
@ConfigMapping(prefix = "meridian.limiter.tokens")
interface TokenConfig {
    /** The file of tokens: a name, scopes and the SHA-256 of the token in each line; followed as it changes. */
    Optional<Path> file();

    /** How often the file is looked at. A change is taken when the file looked the same twice. */
    @WithDefault("250ms")
    Duration fileCheckInterval();

    /** The same lines in place of a file, for deployments that have none; read once, at the start. */
    Optional<String> list();
}
