package io.meridian.chaos.drill.verdict;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * How the world came through one fault.
 *
 * @param fromBeginNanos from its begin until regions were steady after the last bad answer under it; 0 if nobody felt it
 * @param fromEndNanos from its end until all regions were steady
 * @param replaceableNanos when another replica could first lead in place of one that it took away
 * @param takeoverNanos from then until each partition that it took the leader from was led again; -1 if it is not about leaders, or none changed
 * @param takeoverDue whether a change of leaders should have been seen
 * @param never regions that were not steady again
 * @param unasked regions that were not asked after it, or not for long enough to tell
 */
record Recovery(
        FaultSpan fault,
        long fromBeginNanos,
        long fromEndNanos,
        long replaceableNanos,
        long takeoverNanos,
        boolean takeoverDue,
        List<String> never,
        List<String> unasked) {
    private static final int TAKEOVER_LOOK = 3;

    /** What was seen that should not be, and the time in which it was measured. */
    record Broken(String words, long fromNanos, long toNanos) {}

    static Recovery of(
            FaultSpan fault,
            Timeline timeline,
            List<String> regions,
            Steady steady,
            Leads leads,
            Duration takeoverWithin) {
        long fromBegin = 0;
        long fromEnd = 0;
        List<String> never = new ArrayList<>();
        List<String> unasked = new ArrayList<>();
        for (String region : regions) {
            if (!steady.isAsked(region, fault.toNanos())) {
                unasked.add(region);
                continue;
            }
            OptionalLong since = steady.since(region, fault.toNanos());
            if (since.isEmpty()) {
                boolean bad =
                        steady.lastBad(region, fault.toNanos(), Long.MAX_VALUE).isPresent();
                (bad ? never : unasked).add(region);
                continue;
            }
            boolean felt =
                    steady.lastBad(region, fault.toNanos(), since.getAsLong()).isPresent();
            fromEnd = Math.max(fromEnd, felt ? since.getAsLong() - fault.toNanos() : 0);
            OptionalLong bad = steady.lastBad(region, fault.fromNanos(), fault.toNanos());
            if (bad.isPresent()) {
                long mended = steady.since(region, bad.getAsLong() + 1).orElse(fault.toNanos());
                fromBegin = Math.max(fromBegin, mended - fault.fromNanos());
            }
        }
        boolean ofLeader = fault.isOfLeader() || leads.isLost(fault);
        long replaceable = leads.replaceableNanos(fault, timeline.faults(), takeoverWithin);
        long lookTo = Math.max(fault.toNanos(), replaceable + TAKEOVER_LOOK * takeoverWithin.toNanos());
        long takeover = ofLeader ? leads.takeoverNanos(fault, replaceable, lookTo) : -1;
        // A replica that is back before it has to be replaced may lead on.
        boolean away = fault.toNanos() - fault.fromNanos() > takeoverWithin.toNanos();
        boolean due = fault.isOfLeader() || (ofLeader && away);
        return new Recovery(fault, fromBegin, fromEnd, replaceable, takeover, due, never, unasked);
    }

    List<Broken> broken(Duration recoverWithin, Duration takeoverWithin) {
        List<Broken> broken = new ArrayList<>();
        if (!never.isEmpty()) {
            String words = "after \"%s\" %s never decided undegraded again".formatted(fault.words(), never);
            broken.add(new Broken(words, fault.toNanos(), Long.MAX_VALUE));
        }
        if (fromEndNanos > recoverWithin.toNanos()) {
            String words = "after \"%s\" it took %.1f s until every region decided undegraded, limit %.0f s"
                    .formatted(fault.words(), Seconds.of(fromEndNanos), Seconds.of(recoverWithin.toNanos()));
            broken.add(new Broken(words, fault.toNanos(), fault.toNanos() + fromEndNanos));
        }
        if (takeoverNanos > takeoverWithin.toNanos()) {
            String words = "after \"%s\" it took %.1f s until each partition was led again, limit %.1f s"
                    .formatted(fault.words(), Seconds.of(takeoverNanos), Seconds.of(takeoverWithin.toNanos()));
            broken.add(new Broken(words, replaceableNanos, replaceableNanos + takeoverNanos));
        }
        return broken;
    }

    /** What should have been seen and was not. */
    List<String> unseen() {
        List<String> unseen = new ArrayList<>();
        if (!fault.ended()) {
            unseen.add("\"%s\" never ended".formatted(fault.words()));
        } else if (!unasked.isEmpty()) {
            unseen.add("after \"%s\" nobody asked %s, or not for long enough".formatted(fault.words(), unasked));
        }
        if (takeoverDue && takeoverNanos < 0) {
            unseen.add("\"%s\", but no partition was seen to change its leader".formatted(fault.words()));
        }
        return unseen;
    }

    Map<String, Object> figures() {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("fault", fault.fault());
        figures.put("words", fault.words());
        figures.put("from_begin_seconds", Seconds.of(fromBeginNanos));
        figures.put("from_end_seconds", Seconds.of(fromEndNanos));
        if (takeoverNanos >= 0) {
            figures.put("takeover_seconds", Seconds.of(takeoverNanos));
        }
        return figures;
    }
}
