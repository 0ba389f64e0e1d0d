package io.meridian.limiter.caller;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.limiter.LimiterConfig.TokenConfig;
import io.meridian.limiter.caller.AccessTokens.Admission;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.model.access.TokenEntry;
import io.meridian.model.access.TokenEntry.TokenScope;
import io.meridian.model.access.TokenHash;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where tokens come from, at the start and later. */
@Timeout(120)
class AccessTokenSourceTest {
    private static final Set<TokenScope> CHECK = Set.of(TokenScope.CHECK);

    private final LimiterMetrics metrics = new LimiterMetrics(new SimpleMeterRegistry());
    private final Path file;

    AccessTokenSourceTest(@TempDir Path folder) {
        this.file = folder.resolve("tokens");
    }

    private static TokenConfig config(Map<String, String> settings) {
        SmallRyeConfig config = new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .addDefaultInterceptors()
                .withMapping(TokenConfig.class)
                .withDefaultValues(settings)
                .build();
        return config.getConfigMapping(TokenConfig.class);
    }

    private TokenConfig ofFile() {
        return config(Map.of(
                "meridian.limiter.tokens.file", file.toString(), "meridian.limiter.tokens.file-check-interval", "5ms"));
    }

    private static String line(String name) {
        return new TokenEntry(name, CHECK, TokenHash.of("token of " + name)).line() + "\n";
    }

    private static boolean knows(AccessTokens callers, String name) {
        return callers.admit("token of " + name, CHECK).equals(new Admission.Admitted(name));
    }

    @Test
    void without_tokens_everybody_may_call() {
        TokenConfig config = config(Map.of());
        AccessTokens callers = new AccessTokens(config, metrics);
        new AccessTokenSource(config, callers, metrics).start();

        assertThat(config.fileCheckInterval()).isEqualTo(Duration.ofMillis(250));
        assertThat(callers.open()).isTrue();
        assertThat(callers.ownToken()).isEmpty();
        assertThat(callers.admit(null, Set.of(TokenScope.values()))).isEqualTo(Admission.ANONYMOUS);
    }

    @Test
    void a_list_in_the_configuration_will_do() {
        TokenConfig config = config(Map.of("meridian.limiter.tokens.list", line("a") + line("b")));
        AccessTokens callers = new AccessTokens(config, metrics);
        assertThat(callers.admit("token of a", CHECK)).isEqualTo(new Admission.WrongToken());
        new AccessTokenSource(config, callers, metrics).start();

        assertThat(knows(callers, "a")).isTrue();
        assertThat(knows(callers, "b")).isTrue();
        assertThat(callers.admit("token of c", CHECK)).isEqualTo(new Admission.WrongToken());
        assertThat(callers.admit(null, CHECK)).isEqualTo(new Admission.WithoutToken());
        assertThat(callers.admit("token of a", Set.of(TokenScope.LOAD)))
                .isEqualTo(new Admission.MissingScope("a", Set.of(TokenScope.LOAD), CHECK));
    }

    @Test
    void the_limiters_own_token_is_for_checks_and_stays_when_the_others_change() throws Exception {
        Files.writeString(file, line("a"));
        AccessTokens callers = new AccessTokens(ofFile(), metrics);
        AccessTokenSource source = new AccessTokenSource(ofFile(), callers, metrics);
        source.start();

        String own = callers.ownToken().orElseThrow();
        assertThat(callers.admit(own, CHECK)).isInstanceOf(Admission.Admitted.class);
        assertThat(callers.admit(own, Set.of(TokenScope.OPERATE))).isInstanceOf(Admission.MissingScope.class);
        assertThat(new AccessTokens(ofFile(), metrics).ownToken().orElseThrow()).isNotEqualTo(own);
        source.stop();
    }

    @Test
    void nothing_starts_with_a_file_that_cannot_be_read_and_the_reason_names_file_and_line() throws Exception {
        AccessTokens callers = new AccessTokens(ofFile(), metrics);
        assertThatThrownBy(() -> new AccessTokenSource(ofFile(), callers, metrics).start())
                .hasMessageContaining("meridian.limiter.tokens.file")
                .hasMessageContaining(file + ": cannot be read");

        Files.writeString(file, line("a") + "b check nonsense\n");
        assertThatThrownBy(() -> new AccessTokenSource(ofFile(), callers, metrics).start())
                .hasMessageContaining(file + ": line 2: a line must be: name scopes sha256:hash");
        assertThat(knows(callers, "a")).isFalse();

        TokenConfig list = config(Map.of("meridian.limiter.tokens.list", "a check"));
        assertThatThrownBy(() -> new AccessTokenSource(list, callers, metrics).start())
                .hasMessageStartingWith("meridian.limiter.tokens.list: line 1: ");
        TokenConfig both =
                config(Map.of("meridian.limiter.tokens.list", line("a"), "meridian.limiter.tokens.file", "tokens"));
        assertThatThrownBy(() -> new AccessTokenSource(both, callers, metrics).start())
                .hasMessageContaining("must not both be set");
    }

    @Test
    void a_file_that_goes_wrong_or_away_leaves_the_tokens_in_effect() throws Exception {
        Files.writeString(file, line("a"));
        AccessTokens callers = new AccessTokens(ofFile(), metrics);
        AccessTokenSource source = new AccessTokenSource(ofFile(), callers, metrics);
        source.start();

        Files.writeString(file, line("b") + "wrong\n");
        Files.delete(file);
        Files.writeString(file, line("a") + line("c"));
        eventually("the mended file is in effect").until(() -> knows(callers, "c"));
        assertThat(knows(callers, "a")).isTrue();
        assertThat(knows(callers, "b")).isFalse();
        source.stop();
    }
}
