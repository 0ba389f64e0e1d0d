package io.meridian.limiter.api;

import io.meridian.limiter.decide.Limiter;
import io.meridian.limiter.decide.RequestIdReused;
import io.meridian.limiter.decide.Ruling;
import io.meridian.model.validation.FieldError;
import io.meridian.model.validation.ValidationException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** A batch on its way: all its checks are asked in order and without waiting, so that they share a turn of the region. */
final class BatchRun {
    private static final Logger LOG = Logger.getLogger(BatchRun.class);
    private static final Problem FAILED = Problem.of(ErrorCode.INTERNAL, "the check could not be made");

    private final AtomicReferenceArray<BatchResult> results;
    private final AtomicInteger open;
    private final CompletableFuture<List<BatchResult>> all = new CompletableFuture<>();

    BatchRun(Limiter limiter, List<BatchItem> items) {
        this.results = new AtomicReferenceArray<>(items.size());
        this.open = new AtomicInteger(items.size());
        for (int i = 0; i < items.size(); i++) {
            int index = i;
            if (items.get(i) instanceof BatchItem.Legible legible) {
                ask(limiter, legible.call()).whenComplete((ruling, failure) -> settle(index, ruling, failure));
            } else {
                settle(index, new BatchResult.NotAsked(((BatchItem.Illegible) items.get(i)).problem()));
            }
        }
    }

    /** The results in the order of the items, once all are there. */
    CompletionStage<List<BatchResult>> results() {
        return all;
    }

    private static CompletionStage<Ruling> ask(Limiter limiter, CheckCall call) {
        try {
            return call.decidedBy(limiter);
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    private void settle(int index, @Nullable Ruling ruling, @Nullable Throwable failure) {
        Throwable cause = cause(failure);
        if (ruling != null) {
            settle(index, new BatchResult.Ruled(ruling));
        } else if (cause instanceof RequestIdReused reused) {
            settle(index, new BatchResult.NotAsked(CheckCall.refusal(reused, "checks[" + index + "].")));
        } else if (cause instanceof ValidationException invalid) {
            settle(index, new BatchResult.NotAsked(invalid(index, invalid)));
        } else {
            LOG.error("a check of a batch failed", failure);
            settle(index, new BatchResult.NotAsked(FAILED));
        }
    }

    private static @Nullable Throwable cause(@Nullable Throwable failure) {
        return failure instanceof CompletionException ? failure.getCause() : failure;
    }

    private static Problem invalid(int index, ValidationException invalid) {
        return Problem.of(
                ErrorCode.INVALID,
                invalid.errors().stream()
                        .map(each -> new FieldError("checks[" + index + "]." + each.field(), each.value(), each.rule()))
                        .toList());
    }

    private void settle(int index, BatchResult result) {
        results.set(index, result);
        if (open.decrementAndGet() == 0) {
            BatchResult[] settled = new BatchResult[results.length()];
            for (int i = 0; i < settled.length; i++) {
                settled[i] = results.get(i);
            }
            all.complete(List.of(settled));
        }
    }
}
