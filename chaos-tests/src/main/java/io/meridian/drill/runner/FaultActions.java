package io.meridian.drill.runner;

import io.meridian.drill.definition.DurationText;
import io.meridian.drill.definition.NetworkFault;
import io.meridian.drill.definition.PartFault;
import io.meridian.drill.definition.PartFault.Verb;
import io.meridian.drill.definition.Provider;
import io.meridian.drill.history.InjectedFault;
import io.meridian.drill.history.InjectedFault.LinkAction;
import io.meridian.drill.history.InjectedFault.PartAction;
import io.meridian.drill.history.Subject;
import io.meridian.drill.runner.ActiveFaults.Reach;
import io.meridian.drill.targets.DrillTarget;
import io.meridian.stack.plan.PartNames;
import io.meridian.stack.plan.Regions;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/** Injection of the faults of a drill file, each registered with its undo. */
record FaultActions(
        DrillTarget target,
        ActiveFaults faults,
        RegionHealth health,
        EventRecorder recorder,
        DrillClock clock,
        Subject loaded) {
    /** Undegraded answers in a row before the next part is restarted. */
    private static final int STEADY = 10;

    private static final Duration STEADY_WITHIN = Duration.ofSeconds(30);

    void network(Provider.Network provider) throws Exception {
        NetworkFault fault = provider.fault();
        for (String place : fault.of(target.regions())) {
            faults.begin(
                    network(place),
                    injected(place, fault),
                    description(place, fault),
                    reach(place, fault),
                    () -> target.links().inject(place, fault),
                    () -> target.links().heal(place));
        }
        if (!provider.duration().isZero()) {
            clock.sleep(provider.duration());
            for (String place : fault.of(target.regions())) {
                faults.end(network(place));
            }
        }
    }

    private static String network(String place) {
        return "network " + place;
    }

    private static InjectedFault injected(String place, NetworkFault fault) {
        boolean delay = fault.action() == LinkAction.DELAY;
        return new InjectedFault.OfLink(
                fault.action(),
                place,
                fault.direction(),
                delay ? fault.latency().toMillis() : 0,
                delay ? fault.jitter().toMillis() : 0,
                fault.action() == LinkAction.BANDWIDTH ? fault.kilobytesPerSecond() : 0);
    }

    private static Reach reach(String place, NetworkFault fault) {
        if (fault.action() != LinkAction.PARTITION) {
            return Reach.NONE;
        }
        return new Reach(Set.of(place), place.equals(Regions.CENTRE), "");
    }

    private static String description(String place, NetworkFault fault) {
        String half =
                switch (fault.direction()) {
                    case TO -> ", outgoing traffic";
                    case FROM -> ", incoming traffic";
                    case BOTH -> "";
                };
        return switch (fault.action()) {
            case PARTITION -> place + " cut off from Kafka" + half;
            case DELAY -> place + " delayed by " + delay(fault) + " to Kafka" + half;
            case BANDWIDTH -> place + " limited to " + fault.kilobytesPerSecond() + " kB/s to Kafka" + half;
        };
    }

    private static String delay(NetworkFault fault) {
        String latency = DurationText.of(fault.latency());
        return fault.jitter().isZero() ? latency : latency + " ± " + DurationText.of(fault.jitter());
    }

    void part(Provider.Part provider) throws Exception {
        PartFault fault = provider.fault();
        RoleResolver roles = new RoleResolver(target);
        List<String> parts = roles.partsOf(fault, loaded);
        for (String part : parts) {
            part(part, fault, roles);
            if (fault.verb() == Verb.RESTART && parts.size() > 1) {
                awaitSteady();
            }
        }
        if (!provider.duration().isZero()) {
            clock.sleep(provider.duration());
            for (String part : parts) {
                faults.end(part(part));
            }
        }
    }

    private void part(String part, PartFault fault, RoleResolver roles) throws Exception {
        Verb verb = fault.verb();
        ActiveFaults.Operation operation = () -> target.parts().act(part, verb);
        String description = (fault.role() == PartFault.Role.LEADER ? "the leader " : "") + part + " " + past(verb);
        switch (verb) {
            case KILL, STOP -> {
                PartAction action = verb == Verb.KILL ? PartAction.KILL : PartAction.STOP;
                InjectedFault injected = roles.injected(action, part, fault);
                faults.begin(part(part), injected, description, reach(part), operation, () -> target.parts()
                        .act(part, Verb.START));
            }
            case FREEZE -> {
                InjectedFault injected = roles.injected(PartAction.FREEZE, part, fault);
                faults.begin(part(part), injected, description, reach(part), operation, () -> target.parts()
                        .act(part, Verb.THAW));
            }
            case START, THAW -> faults.end(part(part));
            case RESTART, WIPE -> {
                AtomicBoolean done = new AtomicBoolean();
                ActiveFaults.Operation once = () -> {
                    operation.run();
                    done.set(true);
                };
                // It ends at once, so it is a fault of its own: other faults on the part stay active.
                String brief = part(part) + " " + verb.word();
                PartAction action = verb == Verb.RESTART ? PartAction.RESTART : PartAction.WIPE;
                InjectedFault injected = roles.injected(action, part, fault);
                faults.begin(
                        brief, injected, description, reach(part), once, () -> startIfHalfDone(part, verb, done.get()));
                faults.end(brief);
            }
        }
    }

    /** A restart that failed half way may have left the part stopped. */
    private void startIfHalfDone(String part, Verb verb, boolean done) throws Exception {
        if (verb == Verb.RESTART && !done) {
            target.parts().act(part, Verb.START);
        }
    }

    private static String part(String name) {
        return "process " + name;
    }

    private void awaitSteady() throws Exception {
        health.restart(recorder.nowNanos());
        clock.await(STEADY_WITHIN, () -> health.isSteady(STEADY));
    }

    /** Without Kafka all regions are isolated; without a leader too, until another one leads. */
    private static Reach reach(String part) {
        if (part.equals(PartNames.KAFKA)) {
            return new Reach(Set.of(), true, "");
        }
        return part.startsWith("sync-") ? Reach.withoutLeader(part) : Reach.NONE;
    }

    private static String past(Verb verb) {
        return switch (verb) {
            case KILL -> "killed";
            case STOP -> "stopped";
            case FREEZE -> "frozen";
            case WIPE -> "wiped";
            case START, THAW, RESTART -> verb.word().toLowerCase(Locale.ROOT) + "ed";
        };
    }
}
