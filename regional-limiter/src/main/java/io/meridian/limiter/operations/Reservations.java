package io.meridian.limiter.operations;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.meridian.limiter.decide.CheckDecider;
import io.meridian.limiter.decide.CheckResult;
import io.meridian.limiter.decide.Limiter;
import io.meridian.limiter.region.RegionClock;
import io.meridian.limiter.region.RegionStore;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.decision.Decision;
import io.meridian.model.decision.Decision.LimitDecision;
import io.meridian.model.match.Check;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.EndpointPath;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Reservations: costs charged in advance and corrected later. The region's store holds each reservation. A commit, a cancellation
 * or the sweep of expired ones removes it from the store, and only the one that removed it corrects the counters.
 */
@Singleton
class Reservations {
    private static final String PREFIX = "r:";
    private static final int ID_BYTES = 16;
    /** How long a lapsed reservation waits for a sweep before it counts as spent. */
    private static final Duration GRACE = Duration.ofMinutes(10);

    private static final int SWEPT_AT_ONCE = 100;

    private final CheckDecider decider;
    private final CounterOperations operations;
    private final RegionStore store;
    private final RegionClock clock;
    private final SecureRandom random = new SecureRandom();

    Reservations(CheckDecider decider, CounterOperations operations, RegionStore store, RegionClock clock) {
        this.decider = decider;
        this.operations = operations;
        this.store = store;
        this.clock = clock;
    }

    CompletionStage<Limiter.Reservation> reserve(Check check, Duration ttl) {
        return decider.check(check)
                .thenCompose(ruling -> ruling instanceof CheckResult.Decided decided
                                && decided.decision() instanceof Decision.Allowed allowed
                        ? store(check, ttl, decided, allowed)
                        : CompletableFuture.completedFuture(new Limiter.Reservation(Optional.empty(), ruling)));
    }

    /** Keeps {@code cost} of a reservation; zero cancels it. */
    CompletionStage<Optional<CheckResult>> commit(String id, long cost) {
        return store.take(PREFIX + id).thenCompose(taken -> {
            if (taken.isEmpty()) {
                return CompletableFuture.completedFuture(Optional.<CheckResult>empty());
            }
            store.forgetDue(PREFIX + id);
            return correct(ReservationRecord.read(taken.get()), cost).thenApply(Optional::of);
        });
    }

    /** Gives back what nobody committed in time. */
    void sweep() {
        store.due(clock.nowMicros(), SWEPT_AT_ONCE)
                .thenAccept(keys -> keys.forEach(key -> {
                    store.forgetDue(key);
                    commit(key.substring(PREFIX.length()), 0);
                }));
    }

    private CompletionStage<Limiter.Reservation> store(
            Check check, Duration ttl, CheckResult.Decided decided, Decision.Allowed allowed) {
        String id = newId();
        String record =
                ReservationRecord.of(check, allowed, decided.nowMicros()).write();
        long dueMicros = clock.nowMicros() + TimeUnit.MILLISECONDS.toMicros(ttl.toMillis());
        return store.putDue(PREFIX + id, record, dueMicros, ttl.plus(GRACE))
                .handle((stored, away) -> away == null
                        ? new Limiter.Reservation(Optional.of(id), decided)
                        : unstored(check, decided, allowed));
    }

    /** An id that nobody guesses. */
    String newId() {
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** A reservation nobody could commit is none. */
    private Limiter.Reservation unstored(Check check, CheckResult.Decided decided, Decision.Allowed allowed) {
        operations.refund(check);
        LimitDecision deciding = allowed.deciding();
        return new Limiter.Reservation(
                Optional.empty(), deciding == null ? decided : new CheckResult.Undecided(deciding.limit()));
    }

    /** Corrects the counters of a charge of which only {@code cost} is kept. */
    CompletionStage<CheckResult> correct(ReservationRecord record, long cost) {
        Set<String> charged = record.policies().stream().collect(Collectors.toUnmodifiableSet());
        List<Limit> limits = operations.limits(record.check()).stream()
                .filter(limit -> charged.contains(limit.policy().id()))
                .toList();
        long unused = record.check().cost() - cost;
        return operations.ask(operations.forgetRefusals(limits), limit -> {
            if (unused == 0) {
                return new CounterRequest.Peek(limit, limit.unitCost());
            }
            return unused > 0
                    ? new CounterRequest.Refund(limit, unused * limit.unitCost(), record.takenMicros())
                    : new CounterRequest.Charge(limit, -unused * limit.unitCost(), clock.nowMicros());
        });
    }

    /** Record of a reservation in the region's store: the check, the policies that charged it, and when. */
    record ReservationRecord(Check check, List<String> policies, long takenMicros) {
        private static final ObjectMapper MAPPER = JsonMapper.builder().build();

        /** The record of a check that these limits have charged. */
        static ReservationRecord of(Check check, Decision.Allowed allowed, long takenMicros) {
            List<String> policies = allowed.limits().stream()
                    .filter(LimitDecision::admitted)
                    .map(each -> each.limit().policy().id())
                    .toList();
            return new ReservationRecord(check, policies, takenMicros);
        }

        record Stored(
                Map<String, String> attributes,
                String endpoint,
                String method,
                Map<String, String> headers,
                long cost,
                List<String> policies,
                long taken) {}

        String write() {
            try {
                return MAPPER.writeValueAsString(new Stored(
                        check.attributes(),
                        EndpointPath.text(check.segments()),
                        check.method(),
                        check.headers(),
                        check.cost(),
                        policies,
                        takenMicros));
            } catch (JsonProcessingException impossible) {
                throw new IllegalStateException("numbers and texts can be written", impossible);
            }
        }

        static ReservationRecord read(String text) {
            try {
                Stored stored = MAPPER.readValue(text, Stored.class);
                Check check =
                        new Check(stored.attributes, stored.endpoint, stored.method, stored.headers, "", stored.cost);
                return new ReservationRecord(check, stored.policies, stored.taken);
            } catch (JsonProcessingException malformed) {
                throw new IllegalStateException("a reservation of another version", malformed);
            }
        }
    }
}
