package io.meridian.chaos.drill.run;

import io.meridian.chaos.drill.file.Activity;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Lists of activities, done in their order. */
final class Script {
    private static final int ENDED_WITHIN_SECONDS = 30;

    private final Activities activities;

    Script(Activities activities) {
        this.activities = activities;
    }

    /** All of them, whatever they find. */
    void look(List<Activity> probes, List<Done> into) throws InterruptedException {
        for (Activity probe : probes) {
            into.add(activities.perform(probe));
        }
    }

    /** Stops at the first that fails; those in the background are waited for in any case, or ended if it is interrupted. */
    void method(List<Activity> method, List<Done> into) throws InterruptedException {
        ExecutorService background = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "background-activity");
            thread.setDaemon(true);
            return thread;
        });
        List<Future<Done>> pending = new ArrayList<>();
        try {
            for (Activity activity : method) {
                if (activity.background()) {
                    pending.add(background.submit(() -> activities.perform(activity)));
                    continue;
                }
                into.add(activities.perform(activity));
                if (!into.get(into.size() - 1).isFine()) {
                    break;
                }
            }
            for (Future<Done> each : pending) {
                into.add(outcome(each));
            }
        } finally {
            end(background);
        }
    }

    /** What begins a fault late would begin it after all was healed. One that goes on beyond the bound is healed in the end. */
    private static void end(ExecutorService background) {
        background.shutdownNow();
        boolean unused = Undisturbed.call(() -> background.awaitTermination(ENDED_WITHIN_SECONDS, TimeUnit.SECONDS));
    }

    private static Done outcome(Future<Done> pending) throws InterruptedException {
        try {
            return pending.get();
        } catch (ExecutionException | CancellationException bug) {
            throw new IllegalStateException("an activity in the background broke off", bug);
        }
    }

    /** Each, even when one before it failed. For a thread that nobody interrupts. */
    void rollbacks(List<Activity> rollbacks, List<Done> into) throws InterruptedException {
        look(rollbacks, into);
    }
}
