package io.meridian.chaos.drill.run;

import io.meridian.chaos.drill.file.DurationText;
import io.meridian.chaos.drill.file.NetworkFault;
import io.meridian.chaos.drill.file.NetworkFault.Action;
import io.meridian.chaos.drill.file.PartFault;
import io.meridian.chaos.drill.file.PartFault.Verb;
import io.meridian.chaos.drill.file.Provider;
import io.meridian.chaos.drill.history.Subject;
import io.meridian.chaos.drill.run.Faults.Reach;
import io.meridian.chaos.drill.world.Target;
import io.meridian.stack.topology.PartNames;
import io.meridian.stack.topology.Regions;
import java.time.Duration;
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
        var cast = new Casting(target).of(fault, loaded);
        for (String part : cast) {
            part(part, fault);
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

    private void part(String part, PartFault fault) throws Exception {
        Verb verb = fault.verb();
        Faults.Deed deed = () -> target.parts().act(part, verb);
        String words = (fault.role() == PartFault.Role.LEADER ? "the leader " : "") + part + " " + past(verb);
        switch (verb) {
            case KILL, STOP ->
                faults.begin(part(part), words, reach(part), deed, () -> target.parts()
                        .act(part, Verb.START));
            case FREEZE ->
                faults.begin(part(part), words, reach(part), deed, () -> target.parts()
                        .act(part, Verb.THAW));
            case START, THAW -> faults.end(part(part));
            case RESTART, WIPE -> {
                AtomicBoolean done = new AtomicBoolean();
                Faults.Deed once = () -> {
                    deed.run();
                    done.set(true);
                };
                // Over at once, so it is a fault of its own: what else was done to the part stays in effect.
                String brief = part(part) + " " + verb.word();
                faults.begin(brief, words, reach(part), once, () -> startIfHalfDone(part, verb, done.get()));
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
