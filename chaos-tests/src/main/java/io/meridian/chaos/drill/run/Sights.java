package io.meridian.chaos.drill.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.meridian.chaos.drill.file.Provider.Sight;
import io.meridian.chaos.drill.history.Event.Checked;
import io.meridian.chaos.drill.history.Event.Outcome;
import io.meridian.chaos.drill.history.Subject;
import io.meridian.chaos.drill.load.Lane;
import io.meridian.chaos.drill.load.OpenLoop;
import io.meridian.chaos.drill.world.Target;
import java.time.Duration;

/** What a drill can look at by itself. */
record Sights(
        Target target, OpenLoop load, Pulse pulse, Watch watch, Waiting waiting, Subject loaded, Duration within) {
    JsonNode look(Sight sight) throws Exception {
        JsonNodeFactory json = JsonNodeFactory.instance;
        return switch (sight) {
            case REGIONS_ANSWER -> json.booleanNode(everyRegionAnswers());
            case LEADERS_PRESENT -> json.booleanNode(waiting.until(within, watch::areLed));
            case LOOP_DELAY_MILLIS -> json.numberNode(watch.slowestMillis());
            case FAILED_CHECKS -> json.numberNode(pulse.failed());
        };
    }

    /** Asked anew, because there may be no load any more; these checks are counted as all others are. */
    private boolean everyRegionAnswers() throws Exception {
        for (String region : target.regions()) {
            if (!waiting.until(within, () -> isSound(load.once(new Lane(region, loaded))))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSound(Checked checked) {
        return checked.outcome() != Outcome.FAILED && !checked.degraded();
    }
}
