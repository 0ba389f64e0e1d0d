package io.meridian.limiter.caller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.limiter.LimiterConfig.JwtConfig;
import io.meridian.limiter.caller.BearerTokens.Reading;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BearerTokensTest {
    private static final SigningKeys KEYS = SigningKeys.ec("k", 1);
    private static final SigningKeys STRANGER = SigningKeys.ec("k", 2);

    @TempDir
    @SuppressWarnings("NullAway.Init") // by JUnit
    Path folder;

    /** @param settings without their prefix */
    private static BearerTokens tokens(Map<String, String> settings) {
        Map<String, String> named = settings.entrySet().stream()
                .collect(Collectors.toMap(each -> "meridian.limiter.jwt." + each.getKey(), Map.Entry::getValue));
        return new BearerTokens(
                Settings.of(JwtConfig.class, named),
                new SetTime(1_800_000_000),
                new LimiterMetrics(new SimpleMeterRegistry()));
    }

    private Path file(String name, String text) {
        try {
            return Files.writeString(folder.resolve(name), text);
        } catch (IOException unwritable) {
            throw new IllegalStateException(unwritable);
        }
    }

    @Test
    void without_a_key_a_token_names_no_user() {
        BearerTokens off = tokens(Map.of());

        assertThat(off.read(KEYS.token("alice"))).isEqualTo(new Reading.Opaque());
        assertThat(off.read("opaque-1")).isEqualTo(new Reading.Opaque());
    }

    @Test
    void the_unverified_mode_believes_anybody_and_says_so() {
        BearerTokens unverified = tokens(Map.of("accept-unverified", "true"));

        assertThat(unverified.read(STRANGER.token("alice"))).isEqualTo(new Reading.User("alice", false));
        assertThat(unverified.read("opaque-1")).isEqualTo(new Reading.Opaque());
        assertThat(unverified.read("a.$$.c")).isEqualTo(new Reading.Opaque());
    }

    @Test
    void a_key_may_come_as_text_as_a_file_or_in_a_set() {
        for (Map<String, String> settings : List.of(
                Map.of("public-key", KEYS.pem()),
                Map.of("public-key-file", file("key.pem", KEYS.pem()).toString()),
                Map.of("jwks-file", file("jwks.json", SigningKeys.jwks(KEYS)).toString()))) {
            BearerTokens verifying = tokens(settings);

            assertThat(verifying.read(KEYS.token("alice")))
                    .as(settings.toString())
                    .isEqualTo(new Reading.User("alice", true));
            assertThat(verifying.read(STRANGER.token("alice"))).isEqualTo(new Reading.Refused());
            assertThat(verifying.read("opaque-1")).isEqualTo(new Reading.Opaque());
            assertThat(verifying.read("a.$$.c")).as("a key with dots").isEqualTo(new Reading.Opaque());
            verifying.close();
        }
    }

    @Test
    void the_defaults_are_as_documented() {
        JwtConfig config = Settings.of(JwtConfig.class, Map.of());

        assertThat(config.algorithms()).containsExactly("RS256", "ES256");
        assertThat(config.clockSkew()).isEqualTo(Duration.ofSeconds(30));
        assertThat(config.jwksRefresh()).isEqualTo(Duration.ofMinutes(5));
        assertThat(config.jwksRefreshMin()).isEqualTo(Duration.ofSeconds(10));
        assertThat(config.jwksTimeout()).isEqualTo(Duration.ofSeconds(3));
        assertThat(config.cacheSize().asLongValue()).isEqualTo(16 << 20);
        assertThat(config.acceptUnverified()).isFalse();
    }

    @Test
    void what_cannot_be_meant_is_refused_at_the_start_by_setting_and_value() {
        refused(
                Map.of("public-key", "abc"),
                "meridian.limiter.jwt.public-key must be a public key in PEM",
                "got a text of 3 characters");
        refused(
                Map.of("public-key", SigningKeys.rsa("small", 1_024).pem()),
                "meridian.limiter.jwt.public-key must be an RSA key of at least 2048 bits",
                "");
        Path missing = folder.resolve("missing");
        refused(
                Map.of("public-key-file", missing.toString()),
                "meridian.limiter.jwt.public-key-file must be a file that can be read",
                "got " + missing);
        refused(
                Map.of("jwks-file", missing.toString()),
                "meridian.limiter.jwt.jwks-file must be a file that can be read",
                "got " + missing);
        Path empty = file("empty.json", "{\"keys\": []}");
        refused(Map.of("jwks-file", empty.toString()), "meridian.limiter.jwt.jwks-file must be a JWKS", "got " + empty);
        refused(
                Map.of("jwks-url", "ftp://id.example/jwks"),
                "meridian.limiter.jwt.jwks-url must be an https URL",
                "got ftp://id.example/jwks");
        refused(
                Map.of("public-key", KEYS.pem(), "algorithms", "ES256,HS256"),
                "meridian.limiter.jwt.algorithms must be one of RS256",
                "got HS256");
        refused(
                Map.of("public-key", KEYS.pem(), "algorithms", "none"),
                "meridian.limiter.jwt.algorithms must be one of",
                "got none");
        refused(
                Map.of("public-key", KEYS.pem(), "clock-skew", "1H"),
                "meridian.limiter.jwt.clock-skew must be at most PT10M",
                "got PT1H");
        refused(
                Map.of("public-key", KEYS.pem(), "jwks-url", "https://id.example/jwks"),
                "meridian.limiter.jwt.public-key must be the only source of keys",
                "it and jwks-url");
        refused(
                Map.of("public-key", KEYS.pem(), "accept-unverified", "true"),
                "meridian.limiter.jwt.accept-unverified must be false where public-key is set",
                "got true");
    }

    private static void refused(Map<String, String> settings, String rule, String got) {
        assertThatThrownBy(() -> tokens(settings)).hasMessageStartingWith(rule).hasMessageContaining(got);
    }
}
