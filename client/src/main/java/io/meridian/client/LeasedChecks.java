package io.meridian.client;

import io.meridian.client.CheckDecision.Source;
import io.meridian.client.ClientListener.Call;
import io.meridian.client.LeaseHolder.HeldLease;
import io.meridian.client.LeaseHolder.Waiter;
import io.meridian.client.LimiterCalls.Response;
import io.meridian.client.QuestionMemory.Entry;
import io.meridian.client.WireJson.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls for leases: requests for units that the demand of a question calls for, and returns of what is left shortly before a lease ends. The
 * limiter has charged all units of a lease, so what is spent here can never exceed a limit; what is neither spent nor returned is lost. The
 * end of a lease is counted on this machine's clock from before the request was sent.
 */
final class LeasedChecks {
    private static final String PATH = "/api/v1/rate-limit/leases";
    /** Returns in flight at once; the units of one more are lost. */
    private static final int RETURNS_MAX = 256;

    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final int UNPROCESSABLE = 422;
    private static final long UNLEASABLE_MILLIS = 10_000;
    private static final long UNHELPFUL_MILLIS = 500;

    private final ClientSettings settings;
    private final ClientClock clock;
    private final LimiterCalls calls;
    private final QuestionMemory memory;
    private final BiConsumer<@Nullable Entry, Waiter> send;
    private final BiConsumer<Entry, Waiter> decideAgain;
    private final Set<Entry> holders = ConcurrentHashMap.newKeySet();
    private final AtomicInteger returns = new AtomicInteger();

    /**
     * @param send decides a check by the limiter
     * @param decideAgain decides a check that waited for a lease
     */
    LeasedChecks(
            ClientSettings settings,
            ClientClock clock,
            LimiterCalls calls,
            QuestionMemory memory,
            BiConsumer<@Nullable Entry, Waiter> send,
            BiConsumer<Entry, Waiter> decideAgain) {
        this.settings = settings;
        this.clock = clock;
        this.calls = calls;
        this.memory = memory;
        this.send = send;
        this.decideAgain = decideAgain;
    }

    /** Asks for a lease for a check, which the answer decides too. */
    void ask(Entry entry, Waiter check) {
        CheckRequest request = check.request();
        long units = entry.leases.wanted(request.cost(), settings.leaseUnitsMax());
        byte[] body;
        try {
            body = WireJson.lease(request, units, settings.leaseTtl().toMillis());
        } catch (InvalidCheckException unwritable) {
            check.answer().completeExceptionally(unwritable);
            entry.leases.settle().forEach(waiter -> waiter.answer().completeExceptionally(unwritable));
            return;
        }
        calls.post(Call.LEASE, PATH, body).whenComplete((response, failure) -> {
            try {
                answered(entry, check, response);
            } finally {
                for (Waiter waiter : entry.leases.settle()) {
                    decideAgain.accept(entry, waiter);
                }
            }
        });
    }

    private void answered(Entry entry, Waiter check, @Nullable Response response) {
        Answer answer = null;
        if (response != null) {
            try {
                int status = response.status() == CREATED ? OK : response.status();
                answer = WireJson.readAnswer(response.body(), status);
            } catch (IOException unreadable) {
                answer = null;
            }
        }
        if (response == null || answer == null || !answer.decided()) {
            boolean unleasable = response != null && response.status() == UNPROCESSABLE;
            entry.leases.sendUntil(clock.nanosIn(unleasable ? UNLEASABLE_MILLIS : UNHELPFUL_MILLIS));
            send.accept(entry, check);
            return;
        }
        memory.learn(entry, check.request().cost(), answer.head());
        CheckDecision decision = CheckDecision.of(answer.head(), Source.LIMITER);
        if (answer.leaseId() != null && answer.head().allowed()) {
            hold(entry, check, answer, answer.leaseId(), response.sentNanos());
        } else {
            entry.leases.sendUntil(clock.nanosIn(UNHELPFUL_MILLIS));
            // The held units may still cover it.
            CheckDecision held = entry.leases.spend(check.request().cost(), clock.nanos());
            decision = held == null ? decision : held;
        }
        check.answer().complete(decision);
    }

    private void hold(Entry entry, Waiter check, Answer answer, String id, long sentNanos) {
        long cost = check.request().cost();
        settings.listener().leased(answer.units());
        if (answer.units() <= cost) {
            entry.leases.sendUntil(clock.nanosIn(UNHELPFUL_MILLIS));
            return;
        }
        HeldLease lease = new HeldLease(
                id, answer.head(), answer.units(), cost, sentNanos, TimeUnit.MILLISECONDS.toNanos(answer.ttlMillis()));
        HeldLease out = entry.leases.hold(lease, clock.nanos());
        holders.add(entry);
        if (out != null) {
            giveBack(out);
        }
    }

    /** Gives back what is about to end. To be called every few milliseconds. */
    void upkeep() {
        long nowNanos = clock.nanos();
        for (Entry entry : holders) {
            for (HeldLease each : entry.leases.ending(nowNanos)) {
                giveBack(each);
            }
        }
        // A holder that gets a lease between the two looks is added again.
        List<Entry> empty =
                holders.stream().filter(entry -> !entry.leases.holds()).toList();
        for (Entry entry : empty) {
            holders.remove(entry);
            if (entry.leases.holds()) {
                holders.add(entry);
            }
        }
    }

    private CompletionStage<@Nullable Void> giveBack(HeldLease lease) {
        long units = lease.close();
        if (units == 0) {
            return CompletableFuture.completedFuture(null);
        }
        if (returns.incrementAndGet() > RETURNS_MAX) {
            returns.decrementAndGet();
            settings.listener().lost(units);
            return CompletableFuture.completedFuture(null);
        }
        return calls.post(Call.RETURN, PATH + "/" + lease.id + "/return", WireJson.units(units))
                .handle((response, failure) -> {
                    returns.decrementAndGet();
                    if (response != null && response.status() == OK) {
                        settings.listener().returned(units);
                    } else {
                        settings.listener().lost(units);
                    }
                    return null;
                });
    }

    /** Gives back all that is held. */
    CompletableFuture<Void> giveBackAll() {
        List<CompletableFuture<@Nullable Void>> all = new ArrayList<>();
        for (Entry entry : holders) {
            for (HeldLease each : entry.leases.all()) {
                all.add(giveBack(each).toCompletableFuture());
            }
        }
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    }
}
