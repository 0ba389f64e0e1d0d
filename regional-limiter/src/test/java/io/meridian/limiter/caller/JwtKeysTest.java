package io.meridian.limiter.caller;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.meridian.limiter.caller.JwtKeys.JwksUrl;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jose4j.lang.JoseException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Keys that change while a limiter runs. Reads that are not due come from a clock that stands still. */
@Timeout(300)
class JwtKeysTest {
    private static final SigningKeys OLD = SigningKeys.ec("old", 1);
    private static final SigningKeys NEW = SigningKeys.ec("new", 2);
    private static final Duration NEVER = Duration.ofDays(1);
    private static final Duration WITHIN = Duration.ofSeconds(60);

    private final SetTime time = new SetTime(1_800_000_000);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final LimiterMetrics metrics = new LimiterMetrics(registry);
    private volatile String published = SigningKeys.jwks(OLD);
    private final AtomicInteger reads = new AtomicInteger();
    private final Set<String> readers = ConcurrentHashMap.newKeySet();

    private JwtKeys keys = keys(NEVER, NEVER);
    private JwtVerifier verifier = verifier(keys);

    private JwtKeys keys(Duration refresh, Duration refreshMin) {
        return new JwtKeys(this::read, refresh, refreshMin, time, metrics.callers());
    }

    private String read() throws IOException {
        readers.add(Thread.currentThread().getName());
        reads.incrementAndGet();
        String document = published;
        if (document.isEmpty()) {
            throw new IOException("the issuer is away");
        }
        return document;
    }

    private JwtVerifier verifier(JwtKeys by) {
        return new JwtVerifier(
                by,
                by::version,
                new JwtVerifier.Expected(List.of("ES256"), Optional.empty(), List.of(), Duration.ZERO, 1 << 20),
                time);
    }

    private void start(Duration refresh, Duration refreshMin) {
        keys.close();
        keys = keys(refresh, refreshMin);
        verifier = verifier(keys);
        keys.start(WITHIN);
    }

    @AfterEach
    void close() {
        keys.close();
    }

    @Test
    void a_new_key_is_read_when_a_token_names_it_and_on_a_thread_of_its_own() throws Exception {
        start(NEVER, Duration.ZERO);
        assertThat(verifier.subject(OLD.token("alice"))).isEqualTo("alice");
        published = SigningKeys.jwks(OLD, NEW);

        eventually("the new key is known").until(() -> "bob".equals(verifier.subject(NEW.token("bob"))));

        assertThat(readers).containsExactly("jwks");
    }

    @Test
    void made_up_key_names_are_no_reason_to_read_more_often_than_said() {
        start(NEVER, NEVER);
        assertThat(reads).hasValue(1);

        for (int i = 0; i < 100; i++) {
            assertThat(verifier.subject(SigningKeys.ec("made-up-" + i % 3, 7).token("alice")))
                    .isNull();
        }

        assertThat(reads).hasValue(1);
    }

    @Test
    void a_key_that_is_withdrawn_verifies_nothing_any_more_not_even_what_it_had() throws Exception {
        start(Duration.ofMillis(1), NEVER);
        String token = OLD.token("alice");
        assertThat(verifier.subject(token)).isEqualTo("alice");
        published = SigningKeys.jwks(NEW);

        eventually("the old key is forgotten").until(() -> verifier.subject(token) == null);
        assertThat(verifier.subject(NEW.token("bob"))).isEqualTo("bob");
    }

    @Test
    void an_issuer_that_is_away_or_publishes_nonsense_leaves_the_keys_as_they_were() throws Exception {
        start(Duration.ofMillis(1), NEVER);
        for (String nonsense :
                List.of("", "<html>", "{}", "{\"keys\": []}", "{\"keys\": [{\"kty\":\"oct\",\"k\":\"c2VjcmV0\"}]}")) {
            published = nonsense;
            int before = reads.get();
            eventually("it was read again").until(() -> reads.get() > before + 2);

            assertThat(verifier.subject(OLD.token("alice"))).as(nonsense).isEqualTo("alice");
        }
        assertThat(registry.get("meridian.limiter.jwks.failed")
                        .functionCounter()
                        .count())
                .isPositive();
    }

    @Test
    void a_limiter_starts_while_the_issuer_is_away_and_knows_nobody_until_it_is_back() throws Exception {
        published = "";
        start(Duration.ofMillis(1), NEVER);
        assertThat(verifier.subject(OLD.token("alice"))).isNull();
        published = SigningKeys.jwks(OLD);

        eventually("the keys are known").until(() -> "alice".equals(verifier.subject(OLD.token("alice"))));
    }

    @Test
    void a_set_has_a_bound() {
        SigningKeys[] many = new SigningKeys[JwtKeys.KEYS_MAX + 1];
        Arrays.fill(many, OLD);

        assertThatThrownBy(() -> JwtKeys.parse(SigningKeys.jwks(many)))
                .isInstanceOf(JoseException.class)
                .hasMessageContaining("1 to 100 public keys, got 101");
    }

    @Test
    void a_url_is_read_whole_or_not_at_all() throws Exception {
        CountDownLatch forever = new CountDownLatch(1);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(command -> new Thread(command).start());
        serve(server, "/jwks", 200, SigningKeys.jwks(OLD));
        serve(server, "/gone", 404, SigningKeys.jwks(OLD));
        serve(server, "/large", 200, "x".repeat(JwtKeys.DOCUMENT_MAX + 1));
        serve(server, "/moved", 302, "");
        server.createContext("/silent", exchange -> {
            try {
                forever.await();
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
            }
        });
        server.start();
        try {
            assertThat(url(server, "/jwks", WITHIN).read()).isEqualTo(SigningKeys.jwks(OLD));
            assertThatThrownBy(() -> url(server, "/gone", WITHIN).read()).hasMessageContaining("status 404");
            assertThatThrownBy(() -> url(server, "/moved", WITHIN).read()).hasMessageContaining("status 302");
            assertThatThrownBy(() -> url(server, "/large", WITHIN).read())
                    .hasMessageContaining("more than 262144 bytes");
            assertThatThrownBy(
                            () -> url(server, "/silent", Duration.ofMillis(50)).read())
                    .isInstanceOf(IOException.class);
        } finally {
            forever.countDown();
            server.stop(0);
        }
    }

    private static JwksUrl url(HttpServer server, String path, Duration timeout) {
        return new JwksUrl(URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path), timeout);
    }

    private static void serve(HttpServer server, String path, int status, String body) {
        byte[] answer = body.getBytes(StandardCharsets.UTF_8);
        server.createContext(path, exchange -> {
            exchange.sendResponseHeaders(status, answer.length == 0 ? -1 : answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
    }
}
