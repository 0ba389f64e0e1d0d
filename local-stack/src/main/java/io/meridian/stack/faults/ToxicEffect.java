package io.meridian.stack.faults;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Effect of a toxic on the bytes of one direction. */
public sealed interface ToxicEffect {
    /** A day: no drill waits longer, and sums of such delays stay far from overflow. */
    long MILLIS_MAX = 86_400_000;

    /** The name of this kind of fault on the wire. */
    String type();

    /** The numbers of this fault under their names on the wire. */
    Map<String, Long> attributes();

    /** A fault that lets no byte through and therefore ends every connection it met: bytes lost leave no way back. */
    sealed interface Swallowing extends ToxicEffect {
        long timeoutMillis();

        CloseKind ending();
    }

    /** Delays every byte by latency ± jitter, in order and without adding up. */
    record Latency(long latencyMillis, long jitterMillis) implements ToxicEffect {
        public Latency {
            requireMillis("latency", latencyMillis);
            requireMillis("jitter", jitterMillis);
        }

        @Override
        public String type() {
            return "latency";
        }

        @Override
        public Map<String, Long> attributes() {
            return Map.of("latency", latencyMillis, "jitter", jitterMillis);
        }
    }

    /** The black hole: the connection stays open and silent, for ever (0) or until the timeout closes it. */
    record Timeout(long timeoutMillis) implements Swallowing {
        public Timeout {
            requireMillis("timeout", timeoutMillis);
        }

        @Override
        public String type() {
            return "timeout";
        }

        @Override
        public CloseKind ending() {
            return CloseKind.CLOSE;
        }

        @Override
        public Map<String, Long> attributes() {
            return Map.of("timeout", timeoutMillis);
        }
    }

    /** Resets both sockets of the connection, at once (0) or after the timeout. */
    record ResetPeer(long timeoutMillis) implements Swallowing {
        public ResetPeer {
            requireMillis("timeout", timeoutMillis);
        }

        @Override
        public String type() {
            return "reset_peer";
        }

        @Override
        public CloseKind ending() {
            return CloseKind.RESET;
        }

        @Override
        public Map<String, Long> attributes() {
            return Map.of("timeout", timeoutMillis);
        }
    }

    /** Lets at most so many kilobytes (of 1000 bytes) a second through. */
    record Bandwidth(long rateKilobytes) implements ToxicEffect {
        /** Ten gigabytes a second: past it the proxy itself is the limit. */
        static final long RATE_MAX = 10_000_000;

        public Bandwidth {
            requireRange("rate", rateKilobytes, 1, RATE_MAX);
        }

        @Override
        public String type() {
            return "bandwidth";
        }

        @Override
        public Map<String, Long> attributes() {
            return Map.of("rate", rateKilobytes);
        }
    }

    /** Holds the end of the stream back. */
    record SlowClose(long delayMillis) implements ToxicEffect {
        public SlowClose {
            requireMillis("delay", delayMillis);
        }

        @Override
        public String type() {
            return "slow_close";
        }

        @Override
        public Map<String, Long> attributes() {
            return Map.of("delay", delayMillis);
        }
    }

    private static void requireMillis(String field, long millis) {
        requireRange(field, millis, 0, MILLIS_MAX);
    }

    private static void requireRange(String field, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(field + " must be between " + min + " and " + max + ", got " + value);
        }
    }

    /** Way of ending a connection. */
    public enum CloseKind {
        /** Both peers read the end of the stream. */
        CLOSE,
        /** Both peers get a TCP reset; what was not yet delivered is dropped. */
        RESET;

        private static final Logger LOG = LoggerFactory.getLogger(CloseKind.class);

        void end(SocketChannel socket) {
            try (socket) {
                if (this == RESET) {
                    // A close with a linger of zero is how a socket sends a reset.
                    socket.setOption(StandardSocketOptions.SO_LINGER, 0);
                }
            } catch (IOException alreadyBroken) {
                LOG.debug("socket was broken before it was ended: {}", alreadyBroken.toString());
            }
        }
    }
}
