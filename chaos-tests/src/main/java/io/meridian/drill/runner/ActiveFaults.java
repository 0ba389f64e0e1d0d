package io.meridian.drill.runner;

import io.meridian.drill.history.Event.FaultBegan;
import io.meridian.drill.history.Event.FaultEnded;
import io.meridian.drill.history.Event.NetworkSplit;
import io.meridian.drill.history.InjectedFault;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Active faults, each with its undo, and the number of parts that they split the network into.
 *
 * <p>A fault is recorded before it is injected, and its end after it is undone, so that no effect lies outside of it.
 */
final class ActiveFaults {
    private final EventRecorder recorder;
    private final int regions;
    private final Map<String, Active> active = new LinkedHashMap<>();
    private int parts = 1;

    ActiveFaults(EventRecorder recorder, int regions) {
        this.recorder = recorder;
        this.regions = regions;
    }

    /** Injection or undo of a fault. */
    @FunctionalInterface
    interface Operation {
        void run() throws Exception;
    }

    /**
     * Effect of a fault on connectivity.
     *
     * @param isolated regions without a connection to others
     * @param all whether every region is isolated
     * @param leader replica that is down; every region is isolated until another one leads in its place. Else empty
     */
    record Reach(Set<String> isolated, boolean all, String leader) {
        static final Reach NONE = new Reach(Set.of(), false, "");

        Reach and(Reach other) {
            Set<String> both = new HashSet<>(isolated);
            both.addAll(other.isolated);
            return new Reach(both, all || other.all, other.leader.isEmpty() ? leader : other.leader);
        }

        static Reach withoutLeader(String leader) {
            return new Reach(Set.of(), true, leader);
        }
    }

    private record Active(String description, Reach reach, Operation undo) {
        Active and(String laterWords, Reach later, Operation laterUndo) {
            return new Active(laterWords, reach.and(later), () -> both(laterUndo, undo));
        }

        /** Runs the second even if the first fails. */
        private static void both(Operation first, Operation second) throws Exception {
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

    /** Injects a fault. If one of that name is active, both are undone together, the later one first. */
    void begin(
            String fault, InjectedFault injected, String description, Reach reach, Operation operation, Operation undo)
            throws Exception {
        synchronized (this) {
            Active before = active.get(fault);
            active.put(
                    fault,
                    before == null ? new Active(description, reach, undo) : before.and(description, reach, undo));
            recorder.accept(new FaultBegan(recorder.nowNanos(), fault, injected, description));
            recordSplit();
        }
        operation.run();
    }

    /** Undoes a fault, if it is active. */
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
                recordSplit();
            }
        }
    }

    /** Undoes all, the last one first, even if some fail, and returns the failures. */
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

    /** All partitions are led by these, so that a replica that is down isolates no region any more. */
    synchronized void ledBy(Set<String> leaders) {
        active.replaceAll((fault, each) -> each.reach.leader.isEmpty() || leaders.contains(each.reach.leader)
                ? each
                : new Active(each.description, Reach.NONE, each.undo));
        recordSplit();
    }

    private void recordSplit() {
        boolean all = active.values().stream().anyMatch(each -> each.reach.all);
        Set<String> isolated = new HashSet<>();
        active.values().forEach(each -> isolated.addAll(each.reach.isolated));
        int now = all ? regions : Math.min(regions, isolated.size() + 1);
        if (now != parts) {
            parts = now;
            recorder.accept(new NetworkSplit(recorder.nowNanos(), parts));
        }
    }
}
