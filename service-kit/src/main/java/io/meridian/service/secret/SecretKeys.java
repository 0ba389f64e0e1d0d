package io.meridian.service.secret;

import io.meridian.model.hash.KeySecret;
import io.meridian.model.match.LimitKeys;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jboss.logging.Logger;

/**
 * Producer of the key secret and of the names of counters and shards under it. A process that needs them does not start without the secret, or with a
 * malformed one.
 */
class SecretKeys {
    private static final Logger LOG = Logger.getLogger(SecretKeys.class);
    private static final long FILE_BYTES_MAX = 1_024;

    @Produces
    @Singleton
    static KeySecret secret(KeysConfig config) {
        KeySecret secret =
                KeySecret.configured(config.secret(), config.secretFile().map(SecretKeys::read));
        LOG.infof("counters are named under the secret with the check value %s", secret.check());
        return secret;
    }

    @Produces
    @Singleton
    static LimitKeys keys(KeySecret secret) {
        return new LimitKeys(secret);
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
