package io.meridian.limiter.operations;

import io.meridian.limiter.decide.ClientLeaseDecider;
import io.meridian.limiter.decide.ClientLeaseDecider.LeaseDecision;
import io.meridian.limiter.decide.ClientLeaseDecider.LeaseDecision.Leased;
import io.meridian.limiter.decide.Limiter.ClientLease;
import io.meridian.limiter.decide.Limiter.LeaseReturn;
import io.meridian.limiter.operations.Reservations.ReservationRecord;
import io.meridian.limiter.region.RegionClock;
import io.meridian.limiter.region.RegionStore;
import io.meridian.model.match.Check;
import io.meridian.model.policy.EndpointPath;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Leases of clients: reservations that nobody needs to settle. The region's store holds each lease until a minute after its end; the one
 * return that removes it gives units back, and what is never returned counts as spent. A return after the end is refused, for the units
 * may count no longer in the window they were charged to.
 */
@Singleton
class ClientLeases {
    private static final String PREFIX = "l:";
    /** How long after its end a lease is known to have been one. */
    private static final Duration KNOWN = Duration.ofMinutes(1);

    private static final char SEPARATOR = '|';

    private final ClientLeaseDecider decider;
    private final Reservations reservations;
    private final RegionStore store;
    private final RegionClock clock;

    ClientLeases(ClientLeaseDecider decider, Reservations reservations, RegionStore store, RegionClock clock) {
        this.decider = decider;
        this.reservations = reservations;
        this.store = store;
        this.clock = clock;
    }

    CompletionStage<ClientLease> lease(Check check, long units, Duration ttl) {
        return decider.lease(check, units, TimeUnit.MILLISECONDS.toMicros(ttl.toMillis()))
                .thenCompose(decision -> {
                    if (decision instanceof Leased leased) {
                        return store(check, leased);
                    }
                    return CompletableFuture.completedFuture(
                            decision instanceof LeaseDecision.Refused refused
                                    ? new ClientLease.Refused(refused.ruling())
                                    : new ClientLease.NotLeasable(((LeaseDecision.NotLeasable) decision).limit()));
                });
    }

    CompletionStage<LeaseReturn> giveBack(String id, long units) {
        return store.get(PREFIX + id).thenCompose(found -> {
            LeaseReturn refusal = found.isEmpty() ? new LeaseReturn.Unknown() : refusal(found.get(), units);
            return refusal == null ? take(id, units) : CompletableFuture.completedFuture(refusal);
        });
    }

    /** Of several returns at once one gets it. */
    private CompletionStage<LeaseReturn> take(String id, long units) {
        return store.take(PREFIX + id).thenCompose(taken -> {
            if (taken.isEmpty()) {
                return CompletableFuture.<LeaseReturn>completedFuture(new LeaseReturn.Unknown());
            }
            ReservationRecord record = record(taken.get());
            return reservations.correct(record, record.check().cost() - units).thenApply(LeaseReturn.Returned::new);
        });
    }

    private @Nullable LeaseReturn refusal(String stored, long units) {
        long leased = record(stored).check().cost();
        if (units > leased) {
            return new LeaseReturn.TooMany(leased);
        }
        return clock.nowMicros() < untilMicros(stored) ? null : new LeaseReturn.Expired();
    }

    private CompletionStage<ClientLease> store(Check check, Leased leased) {
        String id = reservations.newId();
        Check whole = new Check(
                check.attributes(),
                EndpointPath.text(check.segments()),
                check.method(),
                check.headers(),
                "",
                leased.units());
        ReservationRecord record =
                ReservationRecord.of(whole, leased.decision(), leased.ruling().nowMicros());
        long ttlMicros = leased.untilMicros() - leased.ruling().nowMicros();
        Duration expiry =
                Duration.ofMillis(TimeUnit.MICROSECONDS.toMillis(ttlMicros)).plus(KNOWN);
        return store.put(PREFIX + id, leased.untilMicros() + String.valueOf(SEPARATOR) + record.write(), expiry)
                .handle((stored, away) -> {
                    if (away != null) {
                        // A lease that cannot be returned is none: all of it goes back.
                        reservations.correct(record, 0);
                        throw away instanceof CompletionException known ? known : new CompletionException(away);
                    }
                    return new ClientLease.Granted(
                            id, leased.units(), leased.untilMicros(), ttlMicros, leased.ruling());
                });
    }

    private static long untilMicros(String stored) {
        return Long.parseLong(stored.substring(0, stored.indexOf(SEPARATOR)));
    }

    private static ReservationRecord record(String stored) {
        return ReservationRecord.read(stored.substring(stored.indexOf(SEPARATOR) + 1));
    }
}
