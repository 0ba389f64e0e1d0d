package io.meridian.service.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.model.hash.KeySecret;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretKeysTest {
    private static final String DIGITS = "000102030405060708090a0b0c0d0e0f";

    @Test
    void the_secret_is_in_a_setting_or_in_a_file(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("key-secret");
        Files.writeString(file, DIGITS + "\n");
        String check = KeySecret.parse(DIGITS).check();

        assertThat(secret(Map.of("meridian.keys.secret", DIGITS)).check()).isEqualTo(check);
        assertThat(secret(Map.of("meridian.keys.secret-file", file.toString())).check())
                .isEqualTo(check);
    }

    @Test
    void what_is_missing_or_cannot_be_read_is_told_by_the_name_of_the_setting(@TempDir Path folder) throws Exception {
        Path large = folder.resolve("large");
        Files.writeString(large, DIGITS.repeat(100));

        assertRefused(Map.of(), "meridian.keys.secret or meridian.keys.secret-file must be set");
        assertRefused(
                Map.of("meridian.keys.secret", "none"), "meridian.keys.secret must be 32 hex digits, got 4 characters");
        assertRefused(
                Map.of("meridian.keys.secret-file", folder.resolve("none").toString()),
                "meridian.keys.secret-file must name a file that can be read, got " + folder.resolve("none"));
        assertRefused(
                Map.of("meridian.keys.secret-file", large.toString()),
                "meridian.keys.secret-file must name a file of at most 1024 bytes, got " + large);
    }

    private static void assertRefused(Map<String, String> settings, String said) {
        assertThatThrownBy(() -> secret(settings)).hasMessageContaining(said);
    }

    private static KeySecret secret(Map<String, String> settings) {
        return SecretKeys.secret(new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .addDefaultInterceptors()
                .withMapping(KeysConfig.class)
                .withDefaultValues(settings)
                .build()
                .getConfigMapping(KeysConfig.class));
    }
}
