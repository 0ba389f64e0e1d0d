package io.meridian.drill.report;

import io.meridian.drill.history.DrillHistory;
import io.meridian.drill.history.Lateness;
import java.util.List;
import java.util.Map;

/** A journal as a run leaves it. */
final class Journals {
    private Journals() {}

    static Journal ofCut(DrillHistory history) {
        Journal.Activity cut = new Journal.Activity(
                Map.of("type", "action", "name", "cut ap-south off"),
                "2026-01-15T10:00:20Z",
                "2026-01-15T10:00:20.1Z",
                0.1,
                "succeeded",
                "done",
                null);
        Journal.Activity probe = new Journal.Activity(
                Map.of("type", "probe", "name", "every region answers"),
                "2026-01-15T10:00:00Z",
                "2026-01-15T10:00:00.2Z",
                0.2,
                "succeeded",
                true,
                true);
        Journal.SteadyState steady = new Journal.SteadyState(true, List.of(probe));
        return new Journal(
                "1.0.0",
                "Linux",
                "node",
                Map.of("title", "One region is cut off"),
                "2026-01-15T10:00:00Z",
                "2026-01-15T10:01:00Z",
                "completed",
                false,
                new Journal.SteadyStates(steady, List.of(), steady),
                List.of(cut),
                List.of(),
                60,
                Lateness.Summary.of(history));
    }
}
