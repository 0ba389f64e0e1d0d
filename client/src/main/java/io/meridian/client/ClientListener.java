package io.meridian.client;

import java.net.URI;

/** Listener to what a client does, for metrics. Called on the check path: must be fast, must not block, and must not throw. */
public interface ClientListener {
    /** Listener that ignores everything. */
    ClientListener NONE = new ClientListener() {};

    /** A check was decided. */
    default void decided(CheckDecision decision) {}

    /** A call was answered or failed. */
    default void called(Call call, int status, long nanos) {}

    /** A lease of units was granted. */
    default void leased(long units) {}

    /** Units of a lease were given back. */
    default void returned(long units) {}

    /** Units of a lease were lost: neither spent nor given back in time. */
    default void lost(long units) {}

    /** An address was taken out of use, or back into it. */
    default void health(URI limiter, boolean up) {}

    /** Kind of call to a limiter. */
    enum Call {
        CHECK,
        LEASE,
        RETURN,
        PROBE
    }
}
