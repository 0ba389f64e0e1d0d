package io.meridian.drill.runner;

import io.meridian.drill.definition.Drill;
import io.meridian.drill.history.DrillHistory;
import io.meridian.drill.history.Event;
import io.meridian.drill.history.Event.Phase;
import io.meridian.drill.history.Event.PhaseBegan;
import io.meridian.drill.history.Event.Recovered;
import io.meridian.drill.history.Subject;
import io.meridian.drill.load.CheckClient;
import io.meridian.drill.load.OpenLoopLoad;
import io.meridian.drill.load.SendSchedule;
import io.meridian.drill.runner.DrillResult.ActivityResult;
import io.meridian.drill.runner.DrillResult.Status;
import io.meridian.drill.targets.DrillTarget;
import io.meridian.model.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Run of a drill on a target: warm-up, control, fault, recovery, quiet. Whatever happens, an interruption too, everything is undone before
 * it returns. Not thread-safe, and for one run.
 */
public final class DrillRun {
    private static final long EARLY_MICROS = 50_000;
    private static final int STEADY_ANSWERS = 10;

    private final Drill drill;
    private final DrillTarget target;
    private final DrillClock clock;
    private final Limits limits;
    private final RegionHealth health;
    private final EventRecorder recorder;
    private final ActiveFaults faults;
    private final DrillPolicies policies;
    private final ControlPlaneMonitor monitor;
    private final List<ActivityResult> before = new ArrayList<>();
    private final List<ActivityResult> after = new ArrayList<>();
    private final List<ActivityResult> method = new ArrayList<>();
    private final List<ActivityResult> rollbacks = new ArrayList<>();

    public DrillRun(Drill drill, DrillTarget target) {
        this(drill, target, new DrillClock(TimeSource.system()), Limits.DEFAULT);
    }

    DrillRun(Drill drill, DrillTarget target, DrillClock clock, Limits limits) {
        this.drill = drill;
        this.target = target;
        this.clock = clock;
        this.limits = limits;
        health = new RegionHealth(target.regions());
        recorder = new EventRecorder(clock.time(), health);
        faults = new ActiveFaults(recorder, target.regions().size());
        policies = new DrillPolicies(drill, Long.toString(recorder.startedMicros() / 1_000, Character.MAX_RADIX));
        monitor = new ControlPlaneMonitor(target, recorder, faults, limits.leadersEvery());
    }

    /** The limits under test. */
    public List<Subject> subjects() {
        return policies.subjects();
    }

    /** Refuses a drill that cannot run on this target. */
    public void requireFeasible() throws IOException, InterruptedException {
        drill.load().requireWithinBounds(target.regions().size());
        new RoleResolver(target).requireFeasible(drill, subjects().get(0));
    }

    /**
     * Runs the drill. Throws only what {@link #requireFeasible} refuses, before anything is done.
     *
     * @param listener receives every event as it happens, from several threads but one at a time
     */
    public DrillResult run(Consumer<Event> listener) throws Exception {
        requireFeasible();
        recorder.listen(listener);
        Status status;
        String reason = "";
        try {
            status = perform();
        } catch (InterruptedException e) {
            status = Status.INTERRUPTED;
            reason = "interrupted";
        } catch (AbortException e) {
            status = Status.FAILED;
            reason = String.valueOf(e.getMessage());
        } catch (Exception e) {
            status = Status.FAILED;
            reason = e.toString();
        }
        List<String> left = failedRollbacks();
        left.addAll(cleanUp());
        if (!left.isEmpty()) {
            status = status == Status.COMPLETED ? Status.FAILED : status;
            reason = (reason.isEmpty() ? "" : reason + "; ") + String.join("; ", left);
        }
        return new DrillResult(drill, history(), status, reason, clock.wall(), before, after, method, rollbacks);
    }

    private Status perform() throws Exception {
        policies.create(target.policies(), clock);
        monitor.start();
        try (CheckClient client =
                new CheckClient(target.limiters(), subjects().get(0).policy())) {
            try (OpenLoopLoad load = OpenLoopLoad.start(
                    clock.time(),
                    recorder.zeroNanos(),
                    (lane, key) -> client.check(lane.region(), lane.subject(), key),
                    SendSchedule.all(drill.load(), subjects(), target.regions(), recorder.nowNanos()),
                    recorder::accept)) {
                ActivityRunner activities = activities(load);
                try {
                    warmUpAndControl(activities);
                    fault(activities);
                } finally {
                    heal(activities);
                }
                recovery();
                load.cease();
                begin(Phase.QUIET);
                activities.runAll(drill.hypothesis(), after);
                load.stop(limits.answeredWithin());
            }
            new UsageCollector(target, subjects(), recorder, clock).collect();
        }
        if (recorder.isFull()) {
            throw new AbortException("the history exceeds its bound of " + EventRecorder.EVENTS_MAX + " events");
        }
        return after.stream().allMatch(ActivityResult::succeededAsExpected) ? Status.COMPLETED : Status.FAILED;
    }

    private ActivityRunner activities(OpenLoopLoad load) {
        Subject loaded = subjects().get(0);
        FaultActions actions = new FaultActions(target, faults, health, recorder, clock, loaded);
        ProviderRunner providers =
                new ProviderRunner(target, actions, faults, load, health, monitor, clock, loaded, limits.probeWithin());
        return new ActivityRunner(providers, recorder, clock);
    }

    private boolean isSteady(int answers) {
        return health.isSteady(answers) && monitor.allPartitionsLed() && monitor.allRegionsReceive();
    }

    private void warmUpAndControl(ActivityRunner activities) throws Exception {
        begin(Phase.WARM_UP);
        int answers = limits.warmAnswers();
        if (!clock.await(limits.warmWithin(), () -> isSteady(answers))) {
            throw new AbortException("the target is not in its steady state: after %d s %s do not decide undegraded"
                    .formatted(limits.warmWithin().toSeconds(), health.unsteady(answers)));
        }
        health.resetFailed();
        activities.runAll(drill.hypothesis(), before);
        for (ActivityResult probe : before) {
            if (!probe.succeededAsExpected()) {
                throw new AbortException("the steady state does not hold before the method: %s found %s"
                        .formatted(probe.activity().name(), probe.output()));
            }
        }
        long open = windowEndMicros();
        // A little early, so that the phase covers its first window as a whole.
        clock.sleepUntilWall(open - EARLY_MICROS);
        health.resetFailed();
        begin(Phase.CONTROL);
        clock.sleepUntilWall(open + windows(drill.load().controlWindows()));
    }

    private void fault(ActivityRunner activities) throws Exception {
        begin(Phase.FAULT);
        long end = windowEndMicros() + windows(drill.load().faultWindows() - 1);
        activities.runMethod(drill.method(), method);
        for (ActivityResult result : method) {
            if (!result.succeededAsExpected()) {
                throw new AbortException("the method failed: " + result.description());
            }
        }
        clock.sleepUntilWall(end);
    }

    /** Runs the rollbacks, and then undoes whatever is still active. An interruption is kept for later. */
    private void heal(ActivityRunner activities) {
        List<String> unused = DrillClock.uninterruptibly(() -> {
            activities.runAll(drill.rollbacks(), rollbacks);
            return faults.endAll();
        });
    }

    private void recovery() throws Exception {
        begin(Phase.RECOVERY);
        health.restart(recorder.nowNanos());
        if (clock.await(drill.deadlines().recovery(), () -> isSteady(STEADY_ANSWERS) && !faults.isAny())) {
            recorder.accept(new Recovered(
                    recorder.nowNanos(),
                    "every region decides undegraded and receives verdicts, and every partition has a leader"));
        }
        clock.sleepUntilWall(windowEndMicros() + windows(drill.load().recoveryWindows()));
    }

    /** Failed rollbacks fail the drill, because the target may not be what it was before. */
    private List<String> failedRollbacks() {
        List<String> failed = new ArrayList<>();
        for (ActivityResult rollback : rollbacks) {
            if (!rollback.succeededAsExpected()) {
                failed.add("a rollback failed: " + rollback.description());
            }
        }
        return failed;
    }

    /** Returns what could not be undone. */
    private List<String> cleanUp() {
        monitor.close();
        return DrillClock.uninterruptibly(() -> {
            List<String> left = new ArrayList<>(faults.endAll());
            left.addAll(policies.remove(target.policies(), clock));
            return left;
        });
    }

    private void begin(Phase phase) {
        recorder.accept(new PhaseBegan(recorder.nowNanos(), phase));
    }

    /** End of the open window by the wall clock of this machine, which regions' clocks may differ from. */
    private long windowEndMicros() {
        return (Math.floorDiv(clock.time().wallMicros(), windows(1)) + 1) * windows(1);
    }

    private long windows(int number) {
        return number * TimeUnit.MILLISECONDS.toMicros(drill.load().window().toMillis());
    }

    private DrillHistory history() {
        return new DrillHistory(
                drill.name(),
                drill.title(),
                Instant.EPOCH.plus(recorder.startedMicros(), ChronoUnit.MICROS),
                target.regions(),
                subjects(),
                recorder.events());
    }

    /**
     * Bounds on the waits of a run, and the interval of its polls.
     *
     * @param warmWithin bound on the warm-up
     * @param warmAnswers undegraded answers in a row of every region, until it counts as warm
     * @param answeredWithin bound on the last answers after the end of the load
     * @param probeWithin bound on a probe, which is repeated because a single late answer is no failed region
     * @param leadersEvery interval of the polls of leaders
     */
    record Limits(
            Duration warmWithin,
            int warmAnswers,
            Duration answeredWithin,
            Duration probeWithin,
            Duration leadersEvery) {
        static final Limits DEFAULT = new Limits(
                Duration.ofSeconds(90), 100, Duration.ofSeconds(15), Duration.ofSeconds(5), Duration.ofMillis(250));
    }

    /** Abort of a run, with its reason. */
    private static final class AbortException extends Exception {
        private static final long serialVersionUID = 1L;

        AbortException(String reason) {
            super(reason);
        }
    }
}
