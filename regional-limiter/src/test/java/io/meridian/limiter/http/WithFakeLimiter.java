package io.meridian.limiter.http;

import io.meridian.limiter.caller.SigningKeys;
import io.meridian.model.access.TokenEntry;
import io.meridian.model.access.TokenEntry.TokenScope;
import io.meridian.model.access.TokenHash;
import io.meridian.model.validation.EnumNames;
import io.quarkus.test.junit.QuarkusTestProfile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The whole service over {@link FakeLimiter}: for tests of what stands before the limiter. It trusts proxies on this machine and in
 * 10.0.0.0/8, two at most, and tokens of {@link #ISSUER}.
 */
public class WithFakeLimiter implements QuarkusTestProfile {
    static final SigningKeys ISSUER = SigningKeys.ec("issuer", 20_260_101);

    @Override
    public Set<Class<?>> getEnabledAlternatives() {
        return Set.of(FakeLimiter.class);
    }

    @Override
    public Map<String, String> getConfigOverrides() {
        return Map.of(
                "meridian.limiter.forwarded.trusted-proxies",
                "127.0.0.0/8,10.0.0.0/8",
                "meridian.limiter.forwarded.trusted-hops",
                "2",
                "meridian.limiter.jwt.public-key",
                ISSUER.pem());
    }

    /** The same with tokens that callers must bear, one for each scope, the older draft of the headers, and JWTs that nobody verifies. */
    public static class AndTokens extends WithFakeLimiter {
        @Override
        public Set<Class<?>> getEnabledAlternatives() {
            return Set.of(FakeLimiter.class, FakeTrail.class);
        }

        @Override
        public Map<String, String> getConfigOverrides() {
            Path file = temporary();
            write(file, lines());
            return Map.of(
                    "meridian.limiter.tokens.file",
                    file.toString(),
                    "meridian.limiter.tokens.file-check-interval",
                    "5ms",
                    "meridian.limiter.api.ratelimit-draft",
                    "07",
                    "meridian.limiter.jwt.accept-unverified",
                    "true");
        }

        static String token(TokenScope scope) {
            return "mrd_token-for-" + EnumNames.text(scope);
        }

        static String lines() {
            return Stream.of(TokenScope.values())
                    .map(scope -> new TokenEntry(name(scope), Set.of(scope), TokenHash.of(token(scope))).line() + "\n")
                    .collect(Collectors.joining());
        }

        static String name(TokenScope scope) {
            return "for-" + EnumNames.text(scope);
        }

        static void write(Path file, String lines) {
            try {
                Files.writeString(file, lines);
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }

        private static Path temporary() {
            try {
                Path file = Files.createTempFile("tokens", "");
                file.toFile().deleteOnExit();
                return file;
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    }
}
