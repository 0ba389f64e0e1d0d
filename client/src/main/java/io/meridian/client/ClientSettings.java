package io.meridian.client;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a client. Every queue, batch and cache has a bound here.
 *
 * @param limiters the addresses of the region's limiters: {@code http://127.0.0.1:8101}
 * @param token of the caller, with the scope {@code check}; null where limiters have no tokens
 * @param timeout how long a call waits for its answer; a check waits at most as long again in the queue
 * @param connectTimeout how long a call waits for a connection
 * @param probeEvery how often an address that is out of use is probed
 * @param whenUnavailable decides what no limiter answers
 * @param localFactor for {@link WhenUnavailable#LOCAL}: the share of each known limit that this client admits per window
 * @param leasing whether hot questions are leased
 * @param leaseTtl the longest time for which units are held
 * @param leaseUnitsMax the most units of one lease
 * @param queueMax checks that wait to be sent; one more is decided by {@code whenUnavailable}
 * @param callsMax batches that are in flight at once
 * @param memoryMax questions that are remembered with their refusal, lease and last answer; of one more the least recently used is forgotten
 * @param refusalMemory the longest time for which a refusal is believed: units may be given back meanwhile
 */
public record ClientSettings(
        List<URI> limiters,
        @Nullable String token,
        Duration timeout,
        Duration connectTimeout,
        Duration probeEvery,
        WhenUnavailable whenUnavailable,
        double localFactor,
        boolean leasing,
        Duration leaseTtl,
        long leaseUnitsMax,
        int queueMax,
        int callsMax,
        int memoryMax,
        Duration refusalMemory,
        ClientListener listener) {
    /** The most checks of one batch, by the limiter's contract. */
    static final int BATCH_MAX = 100;

    private static final int LIMITERS_MAX = 64;

    public ClientSettings {
        limiters = List.copyOf(limiters);
        require(
                !limiters.isEmpty() && limiters.size() <= LIMITERS_MAX,
                "limiters",
                limiters.size(),
                "1 to " + LIMITERS_MAX + " addresses");
        for (URI each : limiters) {
            require(isAddress(each), "limiters", each, "http or https addresses without path, query or user");
        }
        require(
                token == null || (!token.isEmpty() && token.chars().allMatch(c -> c > ' ' && c < 0x7f)),
                "token",
                (token == null ? 0 : token.length()) + " characters",
                "text without spaces and control characters");
        duration("timeout", timeout, 1, 60_000);
        duration("connectTimeout", connectTimeout, 1, 60_000);
        duration("probeEvery", probeEvery, 10, 60_000);
        require(localFactor > 0 && localFactor <= 100, "localFactor", localFactor, "above 0 and at most 100");
        duration("leaseTtl", leaseTtl, 10, 60_000);
        require(leaseUnitsMax >= 1 && leaseUnitsMax <= 1_000_000, "leaseUnitsMax", leaseUnitsMax, "from 1 to 1000000");
        require(queueMax >= 1 && queueMax <= 1_000_000, "queueMax", queueMax, "from 1 to 1000000");
        require(callsMax >= 1 && callsMax <= 1_000, "callsMax", callsMax, "from 1 to 1000");
        require(memoryMax >= 1 && memoryMax <= 10_000_000, "memoryMax", memoryMax, "from 1 to 10000000");
        duration("refusalMemory", refusalMemory, 0, 60_000);
    }

    /** Decision on a check that no limiter answers. */
    public enum WhenUnavailable {
        /** Allowed. */
        OPEN,
        /** Refused with 503. */
        CLOSED,
        /** Up to a factor of each limit per window, counted by this client alone; what it never knew is allowed. */
        LOCAL
    }

    private static boolean isAddress(URI address) {
        boolean http = "http".equals(address.getScheme()) || "https".equals(address.getScheme());
        String path = address.getPath();
        return http
                && address.getHost() != null
                && (path == null || path.isEmpty() || path.equals("/"))
                && address.getQuery() == null
                && address.getUserInfo() == null;
    }

    private static void duration(String name, Duration value, long minMillis, long maxMillis) {
        boolean fits = value.compareTo(Duration.ofMillis(minMillis)) >= 0
                && value.compareTo(Duration.ofMillis(maxMillis)) <= 0;
        require(fits, name, value, "from " + minMillis + " to " + maxMillis + " ms");
    }

    private static void require(boolean holds, String name, Object value, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(name + " must be " + rule + ", got " + value);
        }
    }

    /** Builder with the defaults; not thread-safe. */
    public static final class Builder {
        private final List<URI> limiters = new ArrayList<>();
        private @Nullable String token;
        private Duration timeout = Duration.ofMillis(250);
        private Duration connectTimeout = Duration.ofMillis(250);
        private Duration probeEvery = Duration.ofMillis(500);
        private WhenUnavailable whenUnavailable = WhenUnavailable.OPEN;
        private double localFactor = 1;
        private boolean leasing;
        private Duration leaseTtl = Duration.ofSeconds(1);
        private long leaseUnitsMax = 100_000;
        private int queueMax = 10_000;
        private int callsMax = 4;
        private int memoryMax = 50_000;
        private Duration refusalMemory = Duration.ofSeconds(1);
        private ClientListener listener = ClientListener.NONE;

        Builder() {}

        public Builder limiter(URI address) {
            limiters.add(address);
            return this;
        }

        public Builder token(String value) {
            token = value;
            return this;
        }

        public Builder timeout(Duration value) {
            timeout = value;
            return this;
        }

        public Builder connectTimeout(Duration value) {
            connectTimeout = value;
            return this;
        }

        public Builder probeEvery(Duration value) {
            probeEvery = value;
            return this;
        }

        public Builder whenUnavailable(WhenUnavailable value) {
            whenUnavailable = value;
            return this;
        }

        public Builder localFactor(double value) {
            localFactor = value;
            return this;
        }

        public Builder leasing(boolean value) {
            leasing = value;
            return this;
        }

        public Builder leaseTtl(Duration value) {
            leaseTtl = value;
            return this;
        }

        public Builder leaseUnitsMax(long value) {
            leaseUnitsMax = value;
            return this;
        }

        public Builder queueMax(int value) {
            queueMax = value;
            return this;
        }

        public Builder callsMax(int value) {
            callsMax = value;
            return this;
        }

        public Builder memoryMax(int value) {
            memoryMax = value;
            return this;
        }

        public Builder refusalMemory(Duration value) {
            refusalMemory = value;
            return this;
        }

        public Builder listener(ClientListener value) {
            listener = value;
            return this;
        }

        ClientSettings settings() {
            return new ClientSettings(
                    limiters,
                    token,
                    timeout,
                    connectTimeout,
                    probeEvery,
                    whenUnavailable,
                    localFactor,
                    leasing,
                    leaseTtl,
                    leaseUnitsMax,
                    queueMax,
                    callsMax,
                    memoryMax,
                    refusalMemory,
                    listener);
        }

        /** Starts a client with these settings. */
        public MeridianClient build() {
            return new MeridianClient(settings(), ClientClock.SYSTEM);
        }
    }
}
