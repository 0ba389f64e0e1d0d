package io.meridian.chaos.drill.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import io.meridian.chaos.drill.file.Activity;
import io.meridian.chaos.drill.file.Provider;
import io.meridian.chaos.drill.history.Event.ActivityDone;
import io.meridian.model.time.TimeSource;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Does activities, and tells how each went. */
final class Activities {
    private static final int OUTPUT_LENGTH_MAX = 1_000;

    private final FaultActions actions;
    private final Faults faults;
    private final Sights sights;
    private final Recorder recorder;
    private final Waiting waiting;
    private final TimeSource time;

    Activities(FaultActions actions, Faults faults, Sights sights, Recorder recorder, Waiting waiting) {
        this.actions = actions;
        this.faults = faults;
        this.sights = sights;
        this.recorder = recorder;
        this.waiting = waiting;
        time = waiting.time();
    }

    /** Never throws for what the activity did wrong; only an interruption ends it early. */
    Done perform(Activity activity) throws InterruptedException {
        waiting.lasting(activity.pauseBefore());
        Instant startedAt = wall();
        long atNanos = recorder.nowNanos();
        JsonNode output;
        boolean succeeded;
        try {
            output = run(activity.provider());
            succeeded = OwnProviders.worked(activity, output);
        } catch (InterruptedException e) {
            tell(activity, atNanos, false, "interrupted");
            throw e;
        } catch (Exception e) {
            output = TextNode.valueOf(e.getMessage() == null ? e.toString() : e.getMessage());
            succeeded = false;
        }
        JsonNode found = output;
        boolean done = succeeded;
        Optional<Boolean> met = activity.tolerance().map(tolerance -> done && tolerance.accepts(found));
        tell(activity, atNanos, done && met.orElse(true), found.isTextual() ? found.asText() : found.toString());
        Done result = new Done(activity, startedAt, wall(), done, found, met);
        waiting.lasting(activity.pauseAfter());
        return result;
    }

    private JsonNode run(Provider provider) throws Exception {
        if (provider instanceof Provider.Network network) {
            actions.network(network);
        } else if (provider instanceof Provider.Part part) {
            actions.part(part);
        } else if (provider instanceof Provider.Heal) {
            heal();
        } else if (provider instanceof Provider.Look look) {
            return sights.look(look.sight());
        } else if (provider instanceof Provider.Command command) {
            return OwnProviders.run(command);
        } else if (provider instanceof Provider.Http http) {
            return OwnProviders.run(http);
        }
        return JsonNodeFactory.instance.nullNode();
    }

    private void heal() {
        var failures = faults.endAll();
        if (!failures.isEmpty()) {
            throw new IllegalStateException(String.join("; ", failures));
        }
    }

    private void tell(Activity activity, long atNanos, boolean succeeded, String output) {
        recorder.accept(new ActivityDone(
                atNanos,
                recorder.nowNanos(),
                activity.name(),
                activity.kind().word(),
                succeeded,
                output.length() > OUTPUT_LENGTH_MAX ? output.substring(0, OUTPUT_LENGTH_MAX) : output));
    }

    private Instant wall() {
        return Instant.EPOCH.plus(time.wallMicros(), ChronoUnit.MICROS);
    }
}
