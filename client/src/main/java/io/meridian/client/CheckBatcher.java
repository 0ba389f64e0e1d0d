package io.meridian.client;

import io.meridian.client.ClientListener.Call;
import io.meridian.client.LimiterCalls.Response;
import io.meridian.client.WireJson.Answer;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Queue of checks that are sent to a limiter. A check is sent at once while less than {@code callsMax} batches are in flight; otherwise it
 * waits for one of them and goes with up to 99 others, as far as they fit into a body. A full queue, or a wait of more than the timeout, fails the check.
 */
final class CheckBatcher {
    private static final String PATH = "/api/v1/rate-limit/check/batch";
    private static final int OK = 200;
    private static final int TOO_LARGE = 413;
    /** A little less than what a limiter takes by default, as a single check and as a batch. */
    private static final int CHECK_BYTES_MAX = 65_000;

    private static final int BATCH_BYTES_MAX = 250_000;

    private final ClientSettings settings;
    private final ClientClock clock;
    private final LimiterCalls calls;
    private final Queue<Pending> queue = new ArrayDeque<>();
    private int inFlight;

    CheckBatcher(ClientSettings settings, ClientClock clock, LimiterCalls calls) {
        this.settings = settings;
        this.clock = clock;
        this.calls = calls;
    }

    /** A check that waits, as the bytes that will be sent. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Pending(byte[] check, CompletableFuture<Answer> answer, long expiresNanos) {}

    /** Failure of a check that was not sent: too many wait. */
    static final class QueueFull extends IOException {
        private static final long serialVersionUID = 1;

        QueueFull(String reason) {
            super(reason);
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    CompletionStage<Answer> submit(CheckRequest request) {
        byte[] check;
        try {
            check = WireJson.check(request);
        } catch (InvalidCheckException unwritable) {
            return CompletableFuture.failedFuture(unwritable);
        }
        if (check.length > CHECK_BYTES_MAX) {
            return CompletableFuture.failedFuture(new InvalidCheckException(
                    TOO_LARGE, "the check must have at most " + CHECK_BYTES_MAX + " bytes, got " + check.length));
        }
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        synchronized (queue) {
            if (queue.size() >= settings.queueMax()) {
                return CompletableFuture.failedFuture(
                        new QueueFull("more than " + settings.queueMax() + " checks wait"));
            }
            queue.add(
                    new Pending(check, answer, clock.nanosIn(settings.timeout().toMillis())));
        }
        dispatch();
        return answer;
    }

    private void dispatch() {
        for (List<Pending> batch = nextBatch(); batch != null; batch = nextBatch()) {
            List<Pending> sent = batch;
            byte[] body = WireJson.batch(sent.stream().map(Pending::check).toList());
            calls.post(Call.CHECK, PATH, body).whenComplete((response, failure) -> {
                synchronized (queue) {
                    inFlight--;
                }
                dispatch();
                settle(sent, response, failure);
            });
        }
    }

    private @Nullable List<Pending> nextBatch() {
        List<Pending> expired = new ArrayList<>();
        List<Pending> batch = new ArrayList<>();
        synchronized (queue) {
            int bytes = 0;
            while (inFlight < settings.callsMax() && batch.size() < ClientSettings.BATCH_MAX) {
                Pending next = queue.peek();
                if (next == null || (!batch.isEmpty() && bytes + next.check.length > BATCH_BYTES_MAX)) {
                    break;
                }
                queue.remove();
                bytes += next.check.length;
                (clock.isPast(next.expiresNanos) ? expired : batch).add(next);
            }
            if (!batch.isEmpty()) {
                inFlight++;
            }
        }
        for (Pending each : expired) {
            each.answer.completeExceptionally(new QueueFull(
                    "the check waited for more than " + settings.timeout().toMillis() + " ms"));
        }
        return batch.isEmpty() ? null : batch;
    }

    private static void settle(List<Pending> batch, @Nullable Response response, @Nullable Throwable failure) {
        List<Answer> answers = List.of();
        Throwable reason = failure;
        if (response != null) {
            try {
                if (response.status() != OK) {
                    throw new IOException("the limiter answered with status " + response.status());
                }
                answers = WireJson.readBatch(response.body());
                if (answers.size() != batch.size()) {
                    throw new IOException(batch.size() + " checks were sent, " + answers.size() + " answered");
                }
            } catch (IOException unreadable) {
                reason = unreadable;
            }
        }
        for (int i = 0; i < batch.size(); i++) {
            if (reason != null) {
                batch.get(i).answer.completeExceptionally(reason);
            } else {
                batch.get(i).answer.complete(answers.get(i));
            }
        }
    }
}
