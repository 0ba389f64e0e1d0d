package io.meridian.sync;

import io.meridian.model.hash.KeySecret;
import io.meridian.model.match.LimitKeys;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jboss.logging.Logger;

/** The secret that counters and shards are named under. Without one, or with a malformed one, the process does not start. */
@Singleton
class SecretKeys {
    private static final Logger LOG = Logger.getLogger(SecretKeys.class);
    private static final long FILE_BYTES_MAX = 1_024;

    @Produces
    @Singleton
    static KeySecret secret(KeysConfig config) {
        return KeySecret.configured(config.secret(), config.secretFile().map(SecretKeys::read));
    }

    @Produces
    @Singleton
    static LimitKeys keys(KeySecret secret) {
        return new LimitKeys(secret);
    }

    void log(@Observes StartupEvent started, KeySecret secret) {
        LOG.infof("counters are named under the secret with the check value %s", secret.check());
    }

    private static String read(Path file) {
        try {
            if (Files.size(file) > FILE_BYTES_MAX) {
                throw new IllegalArgumentException(KeySecret.FILE_SETTING + " must name a file of at most "
                        + FILE_BYTES_MAX + " bytes, got " + file);
            }
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    KeySecret.FILE_SETTING + " must name a file that can be read, got " + file, unreadable);
        }
    }
}
