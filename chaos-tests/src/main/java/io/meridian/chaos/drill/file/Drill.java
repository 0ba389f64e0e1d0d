package io.meridian.chaos.drill.file;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;

/**
 * A drill as its file says it.
 *
 * @param name of the file, without its ending
 * @param hypothesis the probes of the steady state, looked at before and after
 * @param source the whole file, for the journal
 */
public record Drill(
        String name,
        String title,
        String description,
        List<String> tags,
        List<Activity> hypothesis,
        List<Activity> method,
        List<Activity> rollbacks,
        LoadPlan load,
        Deadlines deadlines,
        JsonNode source) {
    public Drill {
        tags = List.copyOf(tags);
        hypothesis = List.copyOf(hypothesis);
        method = List.copyOf(method);
        rollbacks = List.copyOf(rollbacks);
    }

    /** How long it may take at most to undo it: its own rollbacks, and the processes it hurt. */
    public Duration undoneWithin() {
        return UndoingPlan.of(method, rollbacks);
    }

    public Drill withLoad(LoadPlan other) {
        return new Drill(name, title, description, tags, hypothesis, method, rollbacks, other, deadlines, source);
    }
}
