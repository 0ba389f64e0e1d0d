package io.meridian.limiter.caller;

import io.meridian.limiter.metrics.CallerMetrics;
import io.meridian.model.time.TimeSource;
import java.io.IOException;
import java.security.Key;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
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

/**
 * Key set (JWKS) that verifies tokens, read on a thread of its own: every {@code refresh}, and soon after a token named a key that is
 * not in the set, but then at most once per {@code refreshMin}, however many such tokens come. A set that cannot be read, is
 * too large or has no key leaves the last one in use.
 */
final class JwtKeys implements VerificationKeyResolver, AutoCloseable {
    static final int KEYS_MAX = 100;
    static final int DOCUMENT_MAX = 262_144;
    private static final Logger LOG = Logger.getLogger(JwtKeys.class);

    /** Where the set is read. Blocks, and never for longer than a bound of its own. */
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
}
