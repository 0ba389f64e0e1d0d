package io.meridian.chaos.drill.run;

import io.meridian.chaos.drill.file.Drill;
import io.meridian.chaos.drill.history.Event;
import io.meridian.chaos.drill.history.Event.PhaseBegan;
import io.meridian.chaos.drill.history.Event.Recovered;
import io.meridian.chaos.drill.history.History;
import io.meridian.chaos.drill.history.Phase;
import io.meridian.chaos.drill.history.Subject;
import io.meridian.chaos.drill.load.CheckClient;
import io.meridian.chaos.drill.load.OpenLoop;
import io.meridian.chaos.drill.run.DrillResult.Status;
import io.meridian.chaos.drill.world.Target;
import io.meridian.model.time.TimeSource;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * One drill on one target: warm-up, control, fault, recovery, quiet. Whatever happens meanwhile, an interruption too, all that
 * was done is undone before it returns. For one thread, and once.
 */
public final class DrillRun {
    private static final long EARLY_MICROS = 50_000;
    private static final int STEADY_ANSWERS = 10;

    private final Drill drill;
    private final Target target;
    private final Waiting waiting;
    private final RunLimits limits;
    private final Pulse pulse;
    private final Recorder recorder;
    private final Faults faults;
    private final Windows windows;
    private final PolicySet policies;
    private final Watch watch;
    private final List<Done> before = new ArrayList<>();
    private final List<Done> after = new ArrayList<>();
    private final List<Done> run = new ArrayList<>();
    private final List<Done> rollbacks = new ArrayList<>();

    /** @param listener hears of everything as it happens, by several threads but one at a time */
    public DrillRun(Drill drill, Target target, Consumer<Event> listener) {
        this(drill, target, listener, new Waiting(TimeSource.system()), RunLimits.USUAL);
    }

    DrillRun(Drill drill, Target target, Consumer<Event> listener, Waiting waiting, RunLimits limits) {
        TimeSource time = waiting.time();
        this.drill = drill;
        this.target = target;
        this.waiting = waiting;
        this.limits = limits;
        pulse = new Pulse(target.regions());
        recorder = new Recorder(time, List.of(pulse, listener));
        faults = new Faults(recorder, target.regions().size());
        windows = new Windows(time, drill.load().window());
        policies = new PolicySet(drill, Long.toString(recorder.startedMicros() / 1_000, Character.MAX_RADIX));
        watch = new Watch(target, recorder, faults, limits.leadersEvery());
    }

    /** The limits it loads. */
    public List<Subject> subjects() {
        return policies.subjects();
    }

    /** Refuses what cannot be done on this target. */
    public void requireFeasible() throws IOException, InterruptedException {
        drill.load().requireBearable(target.regions().size());
        new Feasibility(target).require(drill, subjects().get(0));
    }

    /** Refuses what cannot be done before it begins; after that it only returns. */
    public DrillResult run() throws Exception {
        requireFeasible();
        Status status;
        String reason = "";
        try {
            status = perform();
        } catch (InterruptedException e) {
            status = Status.INTERRUPTED;
            reason = "interrupted";
        } catch (Stopped e) {
            status = Status.FAILED;
            reason = String.valueOf(e.getMessage());
        } catch (Exception e) {
            status = Status.FAILED;
            reason = e.toString();
        }
        List<String> left = failedRollbacks();
        left.addAll(clearAway());
        if (!left.isEmpty()) {
            status = status == Status.COMPLETED ? Status.FAILED : status;
            reason = (reason.isEmpty() ? "" : reason + "; ") + String.join("; ", left);
        }
        return new DrillResult(drill, history(), status, reason, wall(), before, after, run, rollbacks);
    }

    private Status perform() throws Exception {
        policies.create(target.policies(), waiting);
        watch.start();
        try (CheckClient client =
                new CheckClient(target.limiters(), subjects().get(0).policy())) {
            try (OpenLoop load = OpenLoop.start(
                    waiting.time(),
                    recorder.zeroNanos(),
                    (lane, key) -> client.ask(lane.region(), lane.subject(), key),
                    Timetables.of(drill.load(), subjects(), target.regions(), recorder.nowNanos()),
                    recorder::accept)) {
                Script script = script(load);
                try {
                    warmUpAndControl(script);
                    fault(script);
                } finally {
                    heal(script);
                }
                recovery();
                load.cease();
                phase(Phase.QUIET);
                script.look(drill.hypothesis(), after);
                load.stop(limits.answeredWithin());
            }
            new UsageReading(target, subjects(), recorder, waiting).read();
        }
        if (recorder.isFull()) {
            throw new Stopped("more happened than can be kept: " + Recorder.EVENTS_MAX + " events");
        }
        return after.stream().allMatch(Done::isFine) ? Status.COMPLETED : Status.FAILED;
    }

    private Script script(OpenLoop load) {
        Subject loaded = subjects().get(0);
        FaultActions actions = new FaultActions(target, faults, pulse, recorder, waiting, loaded);
        Sights sights = new Sights(target, load, pulse, watch, waiting, loaded, limits.probeWithin());
        return new Script(new Activities(actions, faults, sights, recorder, waiting));
    }

    private void warmUpAndControl(Script script) throws Exception {
        phase(Phase.WARM_UP);
        int answers = limits.warmAnswers();
        if (!waiting.until(limits.warmWithin(), () -> pulse.isSteady(answers) && watch.areLed() && watch.areLooped())) {
            throw new Stopped("the world is not well to begin with: after %d s %s do not answer by the book"
                    .formatted(limits.warmWithin().toSeconds(), pulse.unsteady(answers)));
        }
        pulse.forgetFailed();
        script.look(drill.hypothesis(), before);
        for (Done probe : before) {
            if (!probe.isFine()) {
                throw new Stopped("the steady state is not there before the method: %s found %s"
                        .formatted(probe.activity().name(), probe.output()));
            }
        }
        long open = windows.openEndMicros();
        // A little early, so that the phase has the whole of its first window.
        waiting.untilWall(open - EARLY_MICROS);
        pulse.forgetFailed();
        phase(Phase.CONTROL);
        waiting.untilWall(windows.after(open, drill.load().controlWindows()));
    }

    private void fault(Script script) throws Exception {
        phase(Phase.FAULT);
        long end = windows.after(windows.openEndMicros(), drill.load().faultWindows() - 1);
        script.method(drill.method(), run);
        for (Done done : run) {
            if (!done.isFine()) {
                throw new Stopped(
                        "the method failed: %s: %s".formatted(done.activity().name(), done.said()));
            }
        }
        waiting.untilWall(end);
    }

    /** As the file says, and then whatever is still in effect. An interruption is kept for later. */
    private void heal(Script script) {
        List<String> unused = Undisturbed.call(() -> {
            script.rollbacks(drill.rollbacks(), rollbacks);
            return faults.endAll();
        });
    }

    private void recovery() throws Exception {
        phase(Phase.RECOVERY);
        pulse.beginAnew(recorder.nowNanos());
        boolean recovered = waiting.until(
                drill.deadlines().recovery(),
                () -> pulse.isSteady(STEADY_ANSWERS) && watch.areLed() && watch.areLooped() && !faults.isAny());
        if (recovered) {
            recorder.accept(new Recovered(
                    recorder.nowNanos(), "every region answers by the book, is led, and hears of the others"));
        }
        waiting.untilWall(windows.after(windows.openEndMicros(), drill.load().recoveryWindows()));
    }

    /** Whoever wrote one counts on it: the world may not be as it was. */
    private List<String> failedRollbacks() {
        List<String> failed = new ArrayList<>();
        for (Done rollback : rollbacks) {
            if (!rollback.isFine()) {
                failed.add("a rollback failed: %s: %s"
                        .formatted(rollback.activity().name(), rollback.said()));
            }
        }
        return failed;
    }

    /** What is left of it in the world is told. */
    private List<String> clearAway() {
        watch.close();
        return Undisturbed.call(() -> {
            List<String> left = new ArrayList<>(faults.endAll());
            left.addAll(policies.remove(target.policies(), waiting));
            return left;
        });
    }

    private void phase(Phase phase) {
        recorder.accept(new PhaseBegan(recorder.nowNanos(), phase));
    }

    private History history() {
        return new History(
                drill.name(),
                drill.title(),
                Instant.EPOCH.plus(recorder.startedMicros(), ChronoUnit.MICROS),
                target.regions(),
                subjects(),
                recorder.events());
    }

    private Instant wall() {
        return Instant.EPOCH.plus(waiting.time().wallMicros(), ChronoUnit.MICROS);
    }

    /** A drill that does not go on, for a reason that it states. */
    private static final class Stopped extends Exception {
        private static final long serialVersionUID = 1L;

        Stopped(String reason) {
            super(reason);
        }
    }
}
