package io.meridian.chaos.drill.verdict;

import io.meridian.chaos.drill.history.Event.PhaseBegan;
import io.meridian.chaos.drill.history.History;
import io.meridian.chaos.drill.history.Phase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A phase from its begin to that of the next. */
public record PhaseSpan(Phase phase, long fromNanos, long toNanos) {
    static List<PhaseSpan> all(History history, long endNanos) {
        List<PhaseBegan> begun = history.of(PhaseBegan.class).stream()
                .sorted(Comparator.comparingLong(PhaseBegan::atNanos))
                .toList();
        List<PhaseSpan> spans = new ArrayList<>();
        for (int i = 0; i < begun.size(); i++) {
            long to = i + 1 < begun.size() ? begun.get(i + 1).atNanos() : endNanos;
            spans.add(new PhaseSpan(begun.get(i).phase(), begun.get(i).atNanos(), to));
        }
        return List.copyOf(spans);
    }

    /** But for a little at either end: a phase that waits for a window to begin is told of a moment later. */
    boolean covers(long from, long to, long slackNanos) {
        return fromNanos - slackNanos <= from && to <= toNanos + slackNanos;
    }
}
