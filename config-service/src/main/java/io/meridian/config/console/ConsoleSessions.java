package io.meridian.config.console;

import io.meridian.config.access.Credential;
import io.meridian.model.access.TokenHash;
import io.meridian.model.access.TokenText;
import io.meridian.model.time.TimeSource;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Sessions of signed-in browsers and sign-in links, in the memory of this replica.
 *
 * <p>Both are found by the hash of a random secret of 256 bits, which is not stored. A session has the credential of its
 * sign-in, not a role: each call asks again for the caller, so that a revoked token ends its sessions. Bounds:
 * {@link ConsoleConfig#sessionsMax()} sessions, {@link ConsoleConfig#linksMax()} links, and a share of them per caller; the least recently used
 * one makes room, first among the caller's own, so that nobody signs the others out.
 */
@Singleton
public class ConsoleSessions {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final TimeSource time;
    private final ExpiringSecrets<Session> sessions;
    private final ExpiringSecrets<Credential> links;
    private final Duration sessionMax;
    private final Duration linkValid;

    @Inject
    ConsoleSessions(ConsoleConfig config, TimeSource time) {
        this.time = time;
        this.sessionMax = config.sessionMax();
        this.linkValid = config.linkValid();
        this.sessions = new ExpiringSecrets<>(
                config.sessionsMax(), config.sessionsPerCallerMax(), config.sessionMax(), config.sessionIdle());
        this.links = new ExpiringSecrets<>(
                config.linksMax(), config.linksPerCallerMax(), config.linkValid(), config.linkValid());
    }

    /**
     * One signed-in browser.
     *
     * @param csrfToken what a page of this origin sends along with a change, and another origin cannot read
     * @param endsAtMicros the latest end
     */
    public record Session(Credential credential, String csrfToken, long endsAtMicros) {
        /** Whether a call carries the token, in a time that does not depend on where they differ. */
        public boolean hasCsrfToken(String presented) {
            return TokenHash.of(csrfToken).isSame(TokenHash.of(presented));
        }
    }

    /** New session with the secret of its cookie. */
    public record Opened(String secret, Session session) {}

    /** New sign-in link with its code. */
    public record Link(String code, long endsAtMicros) {}

    public Opened open(String caller, Credential credential) {
        Session session = new Session(credential, newSecret(), time.wallMicros() + micros(sessionMax));
        return new Opened(sessions.add(caller, session, time.monotonicNanos()), session);
    }

    /** The session of a cookie; looking it up counts as its use. */
    public Optional<Session> find(String secret) {
        return sessions.use(secret, time.monotonicNanos());
    }

    public void close(String secret) {
        Optional<Session> unused = sessions.remove(secret, time.monotonicNanos());
    }

    public Link newLink(String caller, Credential credential) {
        return new Link(links.add(caller, credential, time.monotonicNanos()), time.wallMicros() + micros(linkValid));
    }

    /** The credential of a link, once. */
    public Optional<Credential> redeem(String code) {
        return links.remove(code, time.monotonicNanos());
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1_000;
    }

    private static String newSecret() {
        byte[] random = new byte[TokenText.RANDOM_BYTES];
        RANDOM.nextBytes(random);
        return TokenText.of(random);
    }

    /** Bounded table of values behind random secrets, each with an end and an end when unused. */
    static final class ExpiringSecrets<V> {
        private final int sizeMax;
        private final int perOwnerMax;
        private final long lifeNanos;
        private final long idleNanos;
        /** In the order of the last use, the least recent first. */
        private final Map<String, Held<V>> held = new LinkedHashMap<>(16, 0.75f, true);

        private record Held<V>(String owner, V value, TokenHash hash, long bornNanos, long usedNanos) {}

        ExpiringSecrets(int sizeMax, int perOwnerMax, Duration life, Duration idle) {
            if (sizeMax < 1 || perOwnerMax < 1) {
                throw new IllegalArgumentException("a table must have room for at least one entry, got " + sizeMax
                        + ", " + perOwnerMax + " of one owner");
            }
            this.sizeMax = sizeMax;
            this.perOwnerMax = perOwnerMax;
            this.lifeNanos = life.toNanos();
            this.idleNanos = idle.toNanos();
        }

        synchronized String add(String owner, V value, long now) {
            held.values().removeIf(each -> isOver(each, now));
            List<String> own = held.entrySet().stream()
                    .filter(each -> each.getValue().owner().equals(owner))
                    .map(Map.Entry::getKey)
                    .toList();
            if (own.size() >= perOwnerMax) {
                held.remove(own.get(0));
            } else if (held.size() >= sizeMax) {
                held.remove(held.keySet().iterator().next());
            }
            String secret = newSecret();
            TokenHash hash = TokenHash.of(secret);
            held.put(hash.index(), new Held<>(owner, value, hash, now, now));
            return secret;
        }

        synchronized Optional<V> use(String secret, long now) {
            TokenHash hash = TokenHash.of(secret);
            Optional<Held<V>> found = live(hash, now);
            found.ifPresent(each ->
                    held.put(hash.index(), new Held<>(each.owner(), each.value(), each.hash(), each.bornNanos(), now)));
            return found.map(Held::value);
        }

        synchronized Optional<V> remove(String secret, long now) {
            TokenHash hash = TokenHash.of(secret);
            Optional<Held<V>> found = live(hash, now);
            found.ifPresent(each -> held.remove(hash.index()));
            return found.map(Held::value);
        }

        synchronized int size() {
            return held.size();
        }

        private Optional<Held<V>> live(TokenHash hash, long now) {
            return Optional.ofNullable(held.get(hash.index()))
                    .filter(each -> each.hash().isSame(hash) && !isOver(each, now));
        }

        private boolean isOver(Held<V> each, long now) {
            return now - each.bornNanos() >= lifeNanos || now - each.usedNanos() >= idleNanos;
        }
    }
}
