package io.meridian.client;

import io.meridian.client.CheckDecision.Head;
import io.meridian.client.CheckDecision.Source;
import io.meridian.client.ClientSettings.WhenUnavailable;
import io.meridian.client.LeaseHolder.Next;
import io.meridian.client.LeaseHolder.Waiter;
import io.meridian.client.QuestionMemory.Entry;
import io.meridian.client.WireJson.Answer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Client of the limiters of one region. A check is decided, in this order, by a lease that this process holds, by a refusal that cannot have
 * changed yet, by a limiter, and if none answers by {@link WhenUnavailable}. Checks that are sent at the same time share a call. Thread-safe;
 * one client serves a whole process. Answers complete on the client's own threads, which must not be blocked.
 */
public final class MeridianClient implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MeridianClient.class);
    private static final long UPKEEP_MILLIS = 20;
    private static final long FORGET_MILLIS = 500;
    private static final long WARN_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int SERVER_ERROR = 500;

    private final ClientSettings settings;
    private final ClientClock clock;
    private final LimiterCalls calls;
    private final QuestionMemory memory;
    private final CheckBatcher batcher;
    private final LeasedChecks leases;
    private final ScheduledExecutorService timer;
    private final LongAdder undecided = new LongAdder();
    private final AtomicLong warnedNanos;
    /** A blocking call ends by then in any case: queue, call, and its repetition. */
    private final long blockMillis;

    MeridianClient(ClientSettings settings, ClientClock clock) {
        this.settings = settings;
        this.clock = clock;
        this.warnedNanos = new AtomicLong(clock.nanos() - WARN_NANOS);
        this.calls = new LimiterCalls(settings, clock);
        this.memory = new QuestionMemory(settings, clock);
        this.batcher = new CheckBatcher(settings, clock, calls);
        this.leases = new LeasedChecks(settings, clock, calls, memory, this::send, this::decideAgain);
        this.blockMillis =
                4 * (settings.timeout().toMillis() + settings.connectTimeout().toMillis());
        this.timer = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread made = new Thread(task, "meridian-client-upkeep");
            made.setDaemon(true);
            return made;
        });
        every(settings.probeEvery().toMillis(), calls::probe);
        every(FORGET_MILLIS, memory::forgetIdle);
        if (settings.leasing()) {
            every(UPKEEP_MILLIS, leases::upkeep);
        }
    }

    private void every(long millis, Runnable task) {
        Runnable guarded = () -> {
            try {
                task.run();
            } catch (RuntimeException failure) {
                LOG.error("upkeep failed", failure);
            }
        };
        var unused = timer.scheduleWithFixedDelay(guarded, millis, millis, TimeUnit.MILLISECONDS);
    }

    public static ClientSettings.Builder builder() {
        return new ClientSettings.Builder();
    }

    /**
     * Decides a check, and blocks for as long as a limiter is asked.
     *
     * @throws InvalidCheckException if the limiter cannot read the check
     */
    public CheckDecision check(CheckRequest request) {
        long nowNanos = clock.nanos();
        Entry entry = request.mayBeDecidedHere() ? memory.of(request.question(), nowNanos) : null;
        CheckDecision known = entry == null ? null : plentiful(entry, request, nowNanos);
        if (known != null) {
            return told(known);
        }
        return told(await(decide(entry, request, nowNanos), entry, request));
    }

    /** Decides a check. Fails with {@link InvalidCheckException} if the limiter cannot read it, and never otherwise. */
    public CompletionStage<CheckDecision> checkAsync(CheckRequest request) {
        long nowNanos = clock.nanos();
        Entry entry = request.mayBeDecidedHere() ? memory.of(request.question(), nowNanos) : null;
        CheckDecision known = entry == null ? null : plentiful(entry, request, nowNanos);
        CompletableFuture<CheckDecision> answer =
                known == null ? decide(entry, request, nowNanos) : CompletableFuture.completedFuture(known);
        return answer.thenApply(this::told);
    }

    /** The decision by a lease that is not about to be used up, or null. */
    private @Nullable CheckDecision plentiful(Entry entry, CheckRequest request, long nowNanos) {
        return settings.leasing() && !entry.leases.isLow() ? entry.leases.spend(request.cost(), nowNanos) : null;
    }

    private CompletableFuture<CheckDecision> decide(@Nullable Entry entry, CheckRequest request, long nowNanos) {
        CompletableFuture<CheckDecision> answer = new CompletableFuture<>();
        Waiter check = new Waiter(request, answer);
        if (entry == null) {
            send(null, check);
        } else {
            decide(entry, check, nowNanos);
        }
        return answer;
    }

    private void decideAgain(Entry entry, Waiter check) {
        decide(entry, check, clock.nanos());
    }

    private void decide(Entry entry, Waiter check, long nowNanos) {
        CheckRequest request = check.request();
        if (settings.leasing() && entry.leases.holds()) {
            if (entry.leases.isLow() && entry.leases.next(check, nowNanos, true) == Next.ASK) {
                leases.ask(entry, check);
                return;
            }
            CheckDecision held = entry.leases.spend(request.cost(), nowNanos);
            if (held != null) {
                check.answer().complete(held);
                return;
            }
        }
        Head refusal = QuestionMemory.refusal(entry, request.cost(), nowNanos);
        if (refusal != null) {
            check.answer().complete(CheckDecision.of(refusal, Source.CLIENT_MEMORY));
            return;
        }
        Next next = settings.leasing() ? entry.leases.next(check, nowNanos, false) : Next.SEND;
        if (next == Next.ASK) {
            leases.ask(entry, check);
        } else if (next == Next.SEND) {
            send(entry, check);
        }
    }

    private void send(@Nullable Entry entry, Waiter check) {
        batcher.submit(check.request()).whenComplete((answer, failure) -> {
            try {
                answered(entry, check, answer, failure);
            } catch (RuntimeException unexpected) {
                check.answer().completeExceptionally(unexpected);
            }
        });
    }

    private void answered(@Nullable Entry entry, Waiter check, @Nullable Answer answer, @Nullable Throwable failure) {
        if (failure instanceof InvalidCheckException) {
            check.answer().completeExceptionally(failure);
            return;
        }
        if (answer == null || (!answer.decided() && answer.head().status() >= SERVER_ERROR)) {
            check.answer().complete(unavailable(entry, check.request(), failure));
            return;
        }
        if (!answer.decided()) {
            check.answer()
                    .completeExceptionally(new InvalidCheckException(
                            answer.head().status(), String.valueOf(answer.head().detail())));
            return;
        }
        if (entry != null) {
            memory.learn(entry, check.request().cost(), answer.head());
        }
        check.answer().complete(CheckDecision.of(answer.head(), Source.LIMITER));
    }

    private CheckDecision unavailable(@Nullable Entry entry, CheckRequest request, @Nullable Throwable failure) {
        undecided.increment();
        long nowNanos = clock.nanos();
        long last = warnedNanos.get();
        if (nowNanos - last >= WARN_NANOS && warnedNanos.compareAndSet(last, nowNanos)) {
            LOG.warn(
                    "{} checks since the last warning were decided by whenUnavailable={}; the last one, because {}",
                    undecided.sumThenReset(),
                    settings.whenUnavailable(),
                    reason(failure));
        }
        Head head =
                switch (settings.whenUnavailable()) {
                    case OPEN -> Head.unavailable(true, "");
                    case CLOSED -> Head.unavailable(false, "no limiter has decided: " + reason(failure));
                    case LOCAL -> memory.local(entry, request.cost());
                };
        return CheckDecision.of(head, Source.UNAVAILABLE);
    }

    private static String reason(@Nullable Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause == null ? "its answer is an error" : String.valueOf(cause.getMessage());
    }

    private CheckDecision await(CompletableFuture<CheckDecision> answer, @Nullable Entry entry, CheckRequest request) {
        try {
            return answer.get(blockMillis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            return unavailable(entry, request, late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return unavailable(entry, request, interrupted);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof RuntimeException known
                    ? known
                    : new IllegalStateException("a check failed", failed.getCause());
        }
    }

    private CheckDecision told(CheckDecision decision) {
        settings.listener().decided(decision);
        return decision;
    }

    /** Gives all leases back, and waits for that at most as long as for a call. */
    @Override
    public void close() {
        timer.shutdownNow();
        try {
            leases.giveBackAll().get(2 * settings.timeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException unreturned) {
            LOG.warn("not all leases were given back before the client closed", unreturned);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        calls.close();
    }
}
