package io.meridian.drill.definition;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;

/**
 * Definition of a drill, as parsed from its file.
 *
 * @param name the file's name without its extension
 * @param hypothesis the probes of the steady state, run before and after the method
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

    /** Estimated run time. */
    public Duration expectedDuration() {
        return DrillDuration.expected(this);
    }

    /** Longest time that undoing it may take: its own rollbacks, and a restart of each process that the method faults. */
    public Duration undoMax() {
        return DrillDuration.undoMax(method, rollbacks);
    }

    public Drill withLoad(LoadPlan other) {
        return new Drill(name, title, description, tags, hypothesis, method, rollbacks, other, deadlines, source);
    }

    /**
     * Deadlines of the promises about time.
     *
     * @param convergence from the last heal until the usage of all regions reaches all others again
     * @param recovery from the end of a fault until every region decides undegraded; a drill does not wait longer
     * @param takeover from the loss of a leader until each of its partitions has another one
     */
    public record Deadlines(Duration convergence, Duration recovery, Duration takeover) {
        private static final Duration MAX = Duration.ofMinutes(10);

        public static final Deadlines DEFAULT =
                new Deadlines(Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(3));

        public Deadlines {
            require("convergence", convergence);
            require("recovery", recovery);
            require("takeover", takeover);
        }

        private static void require(String field, Duration duration) {
            if (duration.isNegative() || duration.isZero() || duration.compareTo(MAX) > 0) {
                throw new IllegalArgumentException(
                        "%s must be above 0, at most %s, got %s".formatted(field, MAX, duration));
            }
        }
    }
}
