package io.meridian.drill.runner;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.meridian.drill.definition.Activity;
import io.meridian.drill.history.Event.ActivityEnded;
import io.meridian.drill.runner.DrillResult.ActivityResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Runner of lists of activities, in order, that records each with its output. */
record ActivityRunner(ProviderRunner providers, EventRecorder recorder, DrillClock clock) {
    private static final int OUTPUT_LENGTH_MAX = 1_000;
    private static final int ENDED_WITHIN_SECONDS = 30;

    /** Runs all of them, whatever their results. */
    void runAll(List<Activity> activities, List<ActivityResult> into) throws InterruptedException {
        for (Activity activity : activities) {
            into.add(run(activity));
        }
    }

    /** Runs a method up to its first failure; background activities are awaited in any case, or ended at an interruption. */
    void runMethod(List<Activity> method, List<ActivityResult> into) throws InterruptedException {
        ExecutorService background = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "background-activity");
            thread.setDaemon(true);
            return thread;
        });
        List<Future<ActivityResult>> pending = new ArrayList<>();
        try {
            for (Activity activity : method) {
                if (activity.background()) {
                    pending.add(background.submit(() -> run(activity)));
                    continue;
                }
                into.add(run(activity));
                if (!into.get(into.size() - 1).succeededAsExpected()) {
                    break;
                }
            }
            for (Future<ActivityResult> each : pending) {
                into.add(outcome(each));
            }
        } finally {
            end(background);
        }
    }

    /** Ends background activities, because one that begins a fault late would do so after the heal. One beyond the bound is healed in the end. */
    private static void end(ExecutorService background) {
        background.shutdownNow();
        boolean unused =
                DrillClock.uninterruptibly(() -> background.awaitTermination(ENDED_WITHIN_SECONDS, TimeUnit.SECONDS));
    }

    private static ActivityResult outcome(Future<ActivityResult> pending) throws InterruptedException {
        try {
            return pending.get();
        } catch (ExecutionException | CancellationException bug) {
            throw new IllegalStateException("a background activity was aborted", bug);
        }
    }

    /** Never throws for a failure of the activity; only an interruption ends it early. */
    private ActivityResult run(Activity activity) throws InterruptedException {
        clock.sleep(activity.pauseBefore());
        Instant startedAt = clock.wall();
        long atNanos = recorder.nowNanos();
        JsonNode output;
        boolean succeeded;
        try {
            output = providers.run(activity.provider());
            succeeded = ProviderRunner.succeeded(activity, output);
        } catch (InterruptedException e) {
            record(activity, atNanos, false, "interrupted");
            throw e;
        } catch (Exception e) {
            output = TextNode.valueOf(e.getMessage() == null ? e.toString() : e.getMessage());
            succeeded = false;
        }
        JsonNode found = output;
        boolean done = succeeded;
        Optional<Boolean> met = activity.tolerance().map(tolerance -> done && tolerance.accepts(found));
        record(activity, atNanos, done && met.orElse(true), found.isTextual() ? found.asText() : found.toString());
        ActivityResult result = new ActivityResult(activity, startedAt, clock.wall(), done, found, met);
        clock.sleep(activity.pauseAfter());
        return result;
    }

    private void record(Activity activity, long atNanos, boolean succeeded, String output) {
        recorder.accept(new ActivityEnded(
                atNanos,
                recorder.nowNanos(),
                activity.name(),
                activity.kind().word(),
                succeeded,
                output.length() > OUTPUT_LENGTH_MAX ? output.substring(0, OUTPUT_LENGTH_MAX) : output));
    }
}
