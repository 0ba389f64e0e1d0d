package io.meridian.client;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Addresses of a region's limiters, taken in turn. An address is out of use after some failed calls in a row, until a probe of it
 * succeeds. With every address out of use none is given: the caller then decides by itself, without waiting.
 */
final class LimiterPool {
    private static final Logger LOG = LoggerFactory.getLogger(LimiterPool.class);
    /** Failed calls in a row after which an address is out of use. */
    static final int FAILURES_MAX = 3;

    private final List<Address> addresses;
    private final ClientListener listener;
    private final AtomicInteger turn = new AtomicInteger();

    LimiterPool(List<URI> addresses, ClientListener listener) {
        this.addresses = addresses.stream().map(Address::new).toList();
        this.listener = listener;
    }

    /** One limiter. */
    static final class Address {
        final URI uri;
        private final AtomicInteger failures = new AtomicInteger();

        Address(URI uri) {
            this.uri = uri;
        }

        URI path(String path) {
            return uri.resolve(path);
        }

        boolean isUp() {
            return failures.get() < FAILURES_MAX;
        }

        @Override
        public String toString() {
            return uri.toString();
        }
    }

    /** The next address in use, another than {@code failed} if there is one; null if none is in use. */
    @Nullable Address next(@Nullable Address failed) {
        int start = turn.getAndIncrement();
        Address same = null;
        for (int i = 0; i < addresses.size(); i++) {
            Address each = addresses.get(Math.floorMod(start + i, addresses.size()));
            if (each.isUp()) {
                if (each != failed) {
                    return each;
                }
                same = each;
            }
        }
        return same;
    }

    void succeeded(Address address) {
        if (address.failures.getAndSet(0) >= FAILURES_MAX) {
            LOG.info("limiter {} answers again", address);
            listener.health(address.uri, true);
        }
    }

    void failed(Address address, String reason) {
        if (address.failures.incrementAndGet() == FAILURES_MAX) {
            LOG.warn("limiter {} is out of use after {} failed calls, the last one: {}", address, FAILURES_MAX, reason);
            listener.health(address.uri, false);
        }
    }

    /** Addresses that are out of use. */
    List<Address> down() {
        List<Address> down = new ArrayList<>();
        for (Address each : addresses) {
            if (!each.isUp()) {
                down.add(each);
            }
        }
        return down;
    }
}
