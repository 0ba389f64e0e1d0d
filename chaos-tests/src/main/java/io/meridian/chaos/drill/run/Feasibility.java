package io.meridian.chaos.drill.run;

import io.meridian.chaos.drill.file.Activity;
import io.meridian.chaos.drill.file.Drill;
import io.meridian.chaos.drill.file.PartFault;
import io.meridian.chaos.drill.file.PartFault.Verb;
import io.meridian.chaos.drill.file.Provider;
import io.meridian.chaos.drill.history.Subject;
import io.meridian.chaos.drill.world.Target;
import io.meridian.chaos.drill.world.TargetFailure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Whether a target can do all that a drill asks for, undoing included: known before anything begins. */
record Feasibility(Target target) {
    void require(Drill drill, Subject loaded) throws IOException, InterruptedException {
        List<String> errors = new ArrayList<>();
        for (Activity activity : Stream.concat(drill.method().stream(), drill.rollbacks().stream())
                .toList()) {
            try {
                require(activity.provider(), loaded, errors, activity.name());
            } catch (IOException | TargetFailure | IllegalArgumentException e) {
                errors.add(activity.name() + ": " + e.getMessage());
            }
        }
        if (!errors.isEmpty()) {
            throw new TargetFailure("%s cannot do what %s asks for:\n  %s"
                    .formatted(target.name(), drill.name(), String.join("\n  ", errors)));
        }
    }

    private void require(Provider provider, Subject loaded, List<String> errors, String activity)
            throws IOException, InterruptedException {
        if (provider instanceof Provider.Network network) {
            network.fault().requireOthers(target.regions());
            for (String place : network.fault().of(target.regions())) {
                if (!target.links().places().contains(place)) {
                    errors.add(activity + ": there is no link of " + place + " to hurt; there are "
                            + target.links().places().stream().sorted().toList());
                }
            }
        }
        if (provider instanceof Provider.Part part) {
            for (String name : new Casting(target).of(part.fault(), loaded)) {
                Verb verb = part.fault().verb();
                requireVerb(name, verb, errors, activity);
                requireVerb(name, undoing(part.fault()), errors, activity);
            }
        }
    }

    private void requireVerb(String part, Verb verb, List<String> errors, String activity) {
        if (!target.parts().can(part, verb)) {
            errors.add(activity + ": there is no way to " + verb.word() + " " + part);
        }
    }

    private static Verb undoing(PartFault fault) {
        return switch (fault.verb()) {
            case KILL, STOP -> Verb.START;
            case FREEZE -> Verb.THAW;
            case START, RESTART, THAW, WIPE -> fault.verb();
        };
    }
}
