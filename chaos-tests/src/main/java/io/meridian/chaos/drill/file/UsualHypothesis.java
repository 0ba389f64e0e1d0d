package io.meridian.chaos.drill.file;

import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.chaos.drill.file.Provider.Sight;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The steady state of a drill that does not say one: every region answers, and every partition has a leader. */
final class UsualHypothesis {
    static final List<Activity> PROBES = List.of(
            probe("every region answers by the book", Sight.REGIONS_ANSWER),
            probe("every partition has a leader", Sight.LEADERS_PRESENT));

    private UsualHypothesis() {}

    private static Activity probe(String name, Sight sight) {
        ObjectNode source = JsonNodeFactory.instance
                .objectNode()
                .put("type", "probe")
                .put("name", name)
                .put("tolerance", true);
        source.putObject("provider").put("type", "meridian").put("func", sight.func());
        return new Activity(
                Activity.Kind.PROBE,
                name,
                new Provider.Look(sight),
                Duration.ZERO,
                Duration.ZERO,
                false,
                Optional.of(new Tolerance(BooleanNode.TRUE)),
                source);
    }
}
