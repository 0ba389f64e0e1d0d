package io.meridian.chaos.drill.run;

import io.meridian.chaos.drill.history.Event.FaultBegan;
import io.meridian.chaos.drill.history.Event.FaultEnded;
import io.meridian.chaos.drill.history.Event.WorldSplit;
import io.meridian.chaos.drill.history.InjectedFault;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The faults that are in effect, each with what undoes it, and in how many parts the world is for them.
 *
 * <p>A fault is told before it is done and its end after it is undone, so that nothing it causes lies outside of it.
 */
final class Faults {
    private final Recorder recorder;
    private final int regions;
    private final Map<String, Active> active = new LinkedHashMap<>();
    private int parts = 1;

    Faults(Recorder recorder, int regions) {
        this.recorder = recorder;
        this.regions = regions;
    }

    /** Does, or undoes, something to the world. */
    @FunctionalInterface
    interface Deed {
        void run() throws Exception;
    }

    /**
     * What a fault does to who hears of whom.
     *
     * @param alone the regions that hear of nobody
     * @param deaf whether nobody hears of anybody
     * @param leader the replica that is away; nobody hears of anybody until another leads in its place. Else empty
     */
    record Reach(Set<String> alone, boolean deaf, String leader) {
        static final Reach NONE = new Reach(Set.of(), false, "");

        Reach and(Reach other) {
            Set<String> both = new HashSet<>(alone);
            both.addAll(other.alone);
            return new Reach(both, deaf || other.deaf, other.leader.isEmpty() ? leader : other.leader);
        }

        static Reach withoutLeader(String leader) {
            return new Reach(Set.of(), true, leader);
        }
    }

    private record Active(String words, Reach reach, Deed undo) {
        Active and(String laterWords, Reach later, Deed laterUndo) {
            return new Active(laterWords, reach.and(later), () -> both(laterUndo, undo));
        }

        /** What keeps the one from being undone does not keep the other. */
        private static void both(Deed first, Deed second) throws Exception {
            try {
                first.run();
            } catch (Exception failure) {
                try {
                    second.run();
                } catch (Exception another) {
                    failure.addSuppressed(another);
                }
                throw failure;
            }
            second.run();
        }
    }

    /** One of that name that is in effect already stays so: both are undone together, the later one first. */
    void begin(String fault, InjectedFault injected, String words, Reach reach, Deed deed, Deed undo) throws Exception {
        synchronized (this) {
            Active before = active.get(fault);
            active.put(fault, before == null ? new Active(words, reach, undo) : before.and(words, reach, undo));
            recorder.accept(new FaultBegan(recorder.nowNanos(), fault, injected, words));
            tellSplit();
        }
        deed.run();
    }

    /** Nothing to do if it is not in effect. */
    void end(String fault) throws Exception {
        Active ending;
        synchronized (this) {
            ending = active.get(fault);
        }
        if (ending == null) {
            return;
        }
        ending.undo.run();
        synchronized (this) {
            if (active.remove(fault) != null) {
                recorder.accept(new FaultEnded(recorder.nowNanos(), fault));
                tellSplit();
            }
        }
    }

    /** Undoes all, the last one first, each even when one before it could not be undone; what could not is told. */
    List<String> endAll() {
        List<String> names;
        synchronized (this) {
            names = new ArrayList<>(active.keySet());
        }
        List<String> failures = new ArrayList<>();
        for (int i = names.size() - 1; i >= 0; i--) {
            try {
                end(names.get(i));
            } catch (Exception e) {
                failures.add(names.get(i) + ": " + e.getMessage());
                if (e instanceof InterruptedException) {
                    Thread.currentThread().interrupt();
                }
            }
        }
        return failures;
    }

    synchronized boolean isAny() {
        return !active.isEmpty();
    }

    /** Every partition is led, by these. */
    synchronized void ledBy(Set<String> leaders) {
        active.replaceAll((fault, each) -> each.reach.leader.isEmpty() || leaders.contains(each.reach.leader)
                ? each
                : new Active(each.words, Reach.NONE, each.undo));
        tellSplit();
    }

    private void tellSplit() {
        boolean deaf = active.values().stream().anyMatch(each -> each.reach.deaf);
        Set<String> alone = new HashSet<>();
        active.values().forEach(each -> alone.addAll(each.reach.alone));
        int now = deaf ? regions : Math.min(regions, alone.size() + 1);
        if (now != parts) {
            parts = now;
            recorder.accept(new WorldSplit(recorder.nowNanos(), parts));
        }
    }
}
