package io.meridian.limiter.caller;

import io.meridian.limiter.metrics.CallerMetrics;
import io.meridian.model.time.TimeSource;
import io.meridian.model.validation.Validator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwx.JsonWebStructure;
import org.jose4j.keys.resolvers.JwksVerificationKeyResolver;
import org.jose4j.keys.resolvers.VerificationKeyResolver;
import org.jose4j.lang.JoseException;
import org.jose4j.lang.UnresolvableKeyException;
import org.jspecify.annotations.Nullable;

/**
 * Key set (JWKS) that verifies tokens, read on a thread of its own: every {@code refresh}, and soon after a token named a key that is
 * not in the set, but then at most once per {@code refreshMin}, however many such tokens come. A set that cannot be read, is
 * too large or has no key leaves the last one in use.
 */
final class JwtKeys implements VerificationKeyResolver, AutoCloseable {
    static final int KEYS_MAX = 100;
    static final int DOCUMENT_MAX = 262_144;
    private static final Logger LOG = Logger.getLogger(JwtKeys.class);

    /** Origin of the key set. Blocks, and never for longer than a bound of its own. */
    interface Source {
        String read() throws IOException, InterruptedException;
    }

    private record Keys(VerificationKeyResolver resolver, String document, int version) {}

    private final Source source;
    private final Duration refresh;
    private final Duration refreshMin;
    private final TimeSource time;
    private final CallerMetrics metrics;
    private final ScheduledExecutorService thread;
    private final AtomicBoolean wanted = new AtomicBoolean();
    private volatile Keys keys = new Keys(JwtKeys::none, "", 0);
    private volatile long readNanos;

    JwtKeys(Source source, Duration refresh, Duration refreshMin, TimeSource time, CallerMetrics metrics) {
        this.source = source;
        this.refresh = refresh;
        this.refreshMin = refreshMin;
        this.time = time;
        this.metrics = metrics;
        this.thread = Executors.newSingleThreadScheduledExecutor(runnable -> {
            Thread daemon = new Thread(runnable, "jwks");
            daemon.setDaemon(true);
            return daemon;
        });
    }

    /** Reads the set, waits for it as long as is said, and reads it again and again from then on. */
    void start(Duration within) {
        Future<?> first = thread.submit(this::read);
        try {
            first.get(within.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            LOG.warnf("the JWKS is not read yet: until it is, tokens name no user: source=%s", source);
        } catch (ExecutionException failed) {
            throw new IllegalStateException(failed.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        Future<?> unused =
                thread.scheduleWithFixedDelay(this::read, refresh.toNanos(), refresh.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Another number for other keys. */
    int version() {
        return keys.version;
    }

    @Override
    public Key resolveKey(JsonWebSignature token, List<JsonWebStructure> nesting) throws UnresolvableKeyException {
        try {
            return keys.resolver.resolveKey(token, nesting);
        } catch (UnresolvableKeyException unknown) {
            readSoon();
            throw unknown;
        }
    }

    private void readSoon() {
        if (!wanted.compareAndSet(false, true)) {
            return;
        }
        long waitNanos = Math.max(0, refreshMin.toNanos() - (time.monotonicNanos() - readNanos));
        Future<?> unused = thread.schedule(this::read, waitNanos, TimeUnit.NANOSECONDS);
    }

    private void read() {
        try {
            readNanos = time.monotonicNanos();
            wanted.set(false);
            String document = source.read();
            if (!document.equals(keys.document)) {
                keys = new Keys(new JwksVerificationKeyResolver(parse(document)), document, keys.version + 1);
                LOG.infof("the JWKS has changed: source=%s", source);
            }
            metrics.jwksRead(true);
        } catch (IOException | JoseException | RuntimeException failed) {
            metrics.jwksRead(false);
            LOG.warnf("the JWKS cannot be read; the keys known so far go on: source=%s, reason=%s", source, failed);
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    /** The public keys of a set; shared secrets in it are left out. */
    static List<JsonWebKey> parse(String document) throws JoseException {
        List<JsonWebKey> all = new JsonWebKeySet(document).getJsonWebKeys();
        List<JsonWebKey> usable =
                all.stream().filter(PublicJsonWebKey.class::isInstance).toList();
        if (usable.isEmpty() || usable.size() > KEYS_MAX) {
            throw new JoseException("a JWKS must have 1 to " + KEYS_MAX + " public keys, got " + usable.size());
        }
        return usable;
    }

    private static Key none(JsonWebSignature token, List<JsonWebStructure> nesting) throws UnresolvableKeyException {
        throw new UnresolvableKeyException("no JWKS was read yet");
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    /** JWKS at a URL, read whole within a time and up to {@link JwtKeys#DOCUMENT_MAX} bytes. No redirect is followed. */
    static final class JwksUrl implements JwtKeys.Source {
        private final URI url;
        private final Duration timeout;
        private final HttpClient client;

        JwksUrl(URI url, Duration timeout) {
            this.url = url;
            this.timeout = timeout;
            this.client = HttpClient.newBuilder()
                    .connectTimeout(timeout)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .build();
        }

        @Override
        public String read() throws IOException, InterruptedException {
            HttpRequest request = HttpRequest.newBuilder(url)
                    .timeout(timeout)
                    .header("Accept", "application/json")
                    .build();
            CompletableFuture<HttpResponse<String>> call = client.sendAsync(request, head -> new Bounded());
            try {
                HttpResponse<String> response = call.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
                if (response.statusCode() != 200) {
                    throw new IOException("the answer has status " + response.statusCode());
                }
                return response.body();
            } catch (TimeoutException late) {
                call.cancel(true);
                throw new IOException("no answer within " + timeout, late);
            } catch (ExecutionException failed) {
                throw new IOException(String.valueOf(failed.getCause()), failed.getCause());
            }
        }

        @Override
        public String toString() {
            return url.toString();
        }

        /** Body up to the bound; a longer one fails and is not read further. */
        private static final class Bounded implements HttpResponse.BodySubscriber<String> {
            private final CompletableFuture<String> body = new CompletableFuture<>();
            private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            private Flow.@Nullable Subscription subscription;

            @Override
            public CompletionStage<String> getBody() {
                return body;
            }

            @Override
            public void onSubscribe(Flow.Subscription begun) {
                subscription = begun;
                begun.request(Long.MAX_VALUE);
            }

            @Override
            public void onNext(List<ByteBuffer> buffers) {
                for (ByteBuffer buffer : buffers) {
                    if (bytes.size() + buffer.remaining() > JwtKeys.DOCUMENT_MAX) {
                        if (subscription != null) {
                            subscription.cancel();
                        }
                        body.completeExceptionally(new IOException("more than " + JwtKeys.DOCUMENT_MAX + " bytes"));
                        return;
                    }
                    byte[] part = new byte[buffer.remaining()];
                    buffer.get(part);
                    bytes.writeBytes(part);
                }
            }

            @Override
            public void onError(Throwable failure) {
                body.completeExceptionally(failure);
            }

            @Override
            public void onComplete() {
                body.complete(bytes.toString(StandardCharsets.UTF_8));
            }
        }
    }

    /** Public keys in PEM ({@code BEGIN PUBLIC KEY}): RSA of at least 2,048 bits, or EC. */
    static final class PublicKeys {
        private static final int RSA_BITS_MIN = 2_048;
        private static final String BEGIN = "-----BEGIN PUBLIC KEY-----";
        private static final String END = "-----END PUBLIC KEY-----";

        private PublicKeys() {}

        /**
         * @param shown what an error gives as the value of the setting: not the text, which may be a private key by mistake
         */
        static PublicKey parse(String setting, String shown, String pem) {
            String text = pem.strip();
            if (!text.startsWith(BEGIN) || !text.endsWith(END)) {
                throw Validator.invalid(setting, shown, "must be a public key in PEM, from " + BEGIN + " to " + END);
            }
            byte[] encoded;
            try {
                encoded = Base64.getMimeDecoder().decode(text.substring(BEGIN.length(), text.length() - END.length()));
            } catch (IllegalArgumentException malformed) {
                throw Validator.invalid(setting, shown, "must be a public key in PEM, encoded in Base64");
            }
            PublicKey key = decode(setting, shown, encoded);
            if (key instanceof RSAPublicKey rsa && rsa.getModulus().bitLength() < RSA_BITS_MIN) {
                throw Validator.invalid(setting, shown, "must be an RSA key of at least " + RSA_BITS_MIN + " bits");
            }
            return key;
        }

        private static PublicKey decode(String setting, String shown, byte[] encoded) {
            X509EncodedKeySpec spec = new X509EncodedKeySpec(encoded);
            try {
                return KeyFactory.getInstance("RSA").generatePublic(spec);
            } catch (GeneralSecurityException notRsa) {
                try {
                    return KeyFactory.getInstance("EC").generatePublic(spec);
                } catch (GeneralSecurityException notEc) {
                    throw Validator.invalid(setting, shown, "must be a public key of RSA or EC");
                }
            }
        }
    }
}
