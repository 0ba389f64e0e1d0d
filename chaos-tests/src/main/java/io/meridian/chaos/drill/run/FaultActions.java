package io.meridian.chaos.drill.run;

import io.meridian.chaos.drill.file.DurationText;
import io.meridian.chaos.drill.file.NetworkFault;
import io.meridian.chaos.drill.file.NetworkFault.Action;
import io.meridian.chaos.drill.file.PartFault;
import io.meridian.chaos.drill.file.PartFault.Verb;
import io.meridian.chaos.drill.file.Provider;
import io.meridian.chaos.drill.history.InjectedFault;
import io.meridian.chaos.drill.history.InjectedFault.Direction;
import io.meridian.chaos.drill.history.InjectedFault.LinkAction;
import io.meridian.chaos.drill.history.InjectedFault.PartAction;
import io.meridian.chaos.drill.history.Subject;
import io.meridian.chaos.drill.run.Faults.Reach;
import io.meridian.chaos.drill.world.Target;
import io.meridian.stack.plan.PartNames;
import io.meridian.stack.plan.Regions;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/** Does what the faults of a file say, and sees to it that each can be undone. */
record FaultActions(Target target, Faults faults, Pulse pulse, Recorder recorder, Waiting waiting, Subject loaded) {
    /** By the book again, before the next part is replaced. */
    private static final int STEADY = 10;

    private static final Duration STEADY_WITHIN = Duration.ofSeconds(30);

    void network(Provider.Network provider) throws Exception {
        NetworkFault fault = provider.fault();
        for (String place : fault.of(target.regions())) {
            faults.begin(
                    network(place),
                    injected(place, fault),
                    words(place, fault),
                    reach(place, fault),
                    () -> target.links().hurt(place, fault),
                    () -> target.links().mend(place));
        }
        if (!provider.duration().isZero()) {
            waiting.lasting(provider.duration());
            for (String place : fault.of(target.regions())) {
                faults.end(network(place));
            }
        }
    }

    private static String network(String place) {
        return "network " + place;
    }

    private static InjectedFault injected(String place, NetworkFault fault) {
        boolean delay = fault.action() == Action.DELAY;
        return new InjectedFault.OfLink(
                switch (fault.action()) {
                    case PARTITION -> LinkAction.PARTITION;
                    case DELAY -> LinkAction.DELAY;
                    case BANDWIDTH -> LinkAction.BANDWIDTH;
                },
                place,
                switch (fault.direction()) {
                    case TO -> Direction.TO;
                    case FROM -> Direction.FROM;
                    case BOTH -> Direction.BOTH;
                },
                delay ? fault.latency().toMillis() : 0,
                delay ? fault.jitter().toMillis() : 0,
                fault.action() == Action.BANDWIDTH ? fault.kilobytesPerSecond() : 0);
    }

    private static Reach reach(String place, NetworkFault fault) {
        if (fault.action() != Action.PARTITION) {
            return Reach.NONE;
        }
        return new Reach(Set.of(place), place.equals(Regions.CENTRE), "");
    }

    private static String words(String place, NetworkFault fault) {
        String half =
                switch (fault.direction()) {
                    case TO -> ", in what it sends";
                    case FROM -> ", in what it hears";
                    case BOTH -> "";
                };
        return switch (fault.action()) {
            case PARTITION -> place + " cut off from Kafka" + half;
            case DELAY -> place + " is " + delay(fault) + " further from Kafka" + half;
            case BANDWIDTH -> place + " has " + fault.kilobytesPerSecond() + " kB/s to Kafka" + half;
        };
    }

    private static String delay(NetworkFault fault) {
        String latency = DurationText.of(fault.latency());
        return fault.jitter().isZero() ? latency : latency + " ± " + DurationText.of(fault.jitter());
    }

    void part(Provider.Part provider) throws Exception {
        PartFault fault = provider.fault();
        Casting casting = new Casting(target);
        List<String> cast = casting.of(fault, loaded);
        for (String part : cast) {
            part(part, fault, casting);
            if (fault.verb() == Verb.RESTART && cast.size() > 1) {
                awaitSteady();
            }
        }
        if (!provider.duration().isZero()) {
            waiting.lasting(provider.duration());
            for (String part : cast) {
                faults.end(part(part));
            }
        }
    }

    private void part(String part, PartFault fault, Casting casting) throws Exception {
        Verb verb = fault.verb();
        Faults.Deed deed = () -> target.parts().act(part, verb);
        String words = (fault.role() == PartFault.Role.LEADER ? "the leader " : "") + part + " " + past(verb);
        switch (verb) {
            case KILL, STOP -> {
                PartAction action = verb == Verb.KILL ? PartAction.KILL : PartAction.STOP;
                InjectedFault injected = casting.injected(action, part, fault);
                faults.begin(part(part), injected, words, reach(part), deed, () -> target.parts()
                        .act(part, Verb.START));
            }
            case FREEZE -> {
                InjectedFault injected = casting.injected(PartAction.FREEZE, part, fault);
                faults.begin(part(part), injected, words, reach(part), deed, () -> target.parts()
                        .act(part, Verb.THAW));
            }
            case START, THAW -> faults.end(part(part));
            case RESTART, WIPE -> {
                AtomicBoolean done = new AtomicBoolean();
                Faults.Deed once = () -> {
                    deed.run();
                    done.set(true);
                };
                // Over at once, so it is a fault of its own: what else was done to the part stays in effect.
                String brief = part(part) + " " + verb.word();
                PartAction action = verb == Verb.RESTART ? PartAction.RESTART : PartAction.WIPE;
                InjectedFault injected = casting.injected(action, part, fault);
                faults.begin(brief, injected, words, reach(part), once, () -> startIfHalfDone(part, verb, done.get()));
                faults.end(brief);
            }
        }
    }

    /** A restart that broke off may have left the part stopped. */
    private void startIfHalfDone(String part, Verb verb, boolean done) throws Exception {
        if (verb == Verb.RESTART && !done) {
            target.parts().act(part, Verb.START);
        }
    }

    private static String part(String name) {
        return "process " + name;
    }

    private void awaitSteady() throws Exception {
        pulse.beginAnew(recorder.nowNanos());
        waiting.until(STEADY_WITHIN, () -> pulse.isSteady(STEADY));
    }

    /** Without Kafka nobody hears of anybody; without a leader neither, until another one leads. */
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
