package io.meridian.simulation.kafka;

import io.meridian.simulation.Mutation;
import io.meridian.simulation.nodes.SimSettings;
import io.meridian.simulation.world.SimSchedule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Coordinator of the sync replicas' consumer group, which reassigns partitions whenever a member joins, leaves or times out. */
public final class SimGroup {
    private static final long SESSION_MICROS =
            SimSettings.micros(SimSettings.sync("any").session());
    private static final long REBALANCE_MICROS = 5_000_000;

    private final SimSchedule schedule;
    private final int partitions;
    private final long sessionMicros;
    private final Map<String, Member> members = new TreeMap<>();
    /** Members that wait for the next generation. */
    private final Map<String, Consumer<Assigned>> joining = new LinkedHashMap<>();

    private Map<Integer, String> owners = new TreeMap<>();
    private long generation;
    private boolean preparing;
    private long preparingMicros;
    private long changedMicros;

    /** Assignment of a member in a generation. */
    public record Assigned(long generation, Set<Integer> partitions) {}

    /** Answer to a heartbeat. */
    public enum Beat {
        FINE,
        JOIN_AGAIN,
        UNKNOWN
    }

    private static final class Member {
        long seenMicros;
    }

    public SimGroup(SimSchedule schedule, int partitions, Mutation mutation) {
        this.schedule = schedule;
        this.partitions = partitions;
        this.sessionMicros = mutation == Mutation.LATE_SESSION ? 3 * SESSION_MICROS : SESSION_MICROS;
        this.changedMicros = schedule.nowMicros();
        schedule.every(100_000, this::look);
    }

    public Beat beat(String id, long ofGeneration) {
        Member member = members.get(id);
        if (member == null) {
            return Beat.UNKNOWN;
        }
        member.seenMicros = schedule.nowMicros();
        if (preparing) {
            return Beat.JOIN_AGAIN;
        }
        return ofGeneration == generation ? Beat.FINE : Beat.JOIN_AGAIN;
    }

    public void join(String id, Consumer<Assigned> then) {
        members.computeIfAbsent(id, absent -> new Member()).seenMicros = schedule.nowMicros();
        joining.put(id, then);
        prepare();
        look();
    }

    public void leave(String id) {
        if (members.remove(id) != null) {
            joining.remove(id);
            prepare();
            look();
        }
    }

    /** Fence: whether this is a member of the current generation. */
    boolean isCurrent(String id, long ofGeneration) {
        return members.containsKey(id) && ofGeneration == generation;
    }

    /** Time of the last rebalance. */
    public long changedMicros() {
        return preparing ? schedule.nowMicros() : changedMicros;
    }

    private void prepare() {
        if (!preparing) {
            preparing = true;
            preparingMicros = schedule.nowMicros();
        }
    }

    private void look() {
        long now = schedule.nowMicros();
        boolean late = preparing && now - preparingMicros > REBALANCE_MICROS;
        List<String> gone = new ArrayList<>();
        members.forEach((id, member) -> {
            boolean silent = now - member.seenMicros > sessionMicros;
            if ((silent || late) && !joining.containsKey(id)) {
                gone.add(id);
            }
        });
        if (!gone.isEmpty()) {
            gone.forEach(members::remove);
            prepare();
        }
        if (preparing && joining.keySet().containsAll(members.keySet())) {
            complete();
        }
    }

    private void complete() {
        preparing = false;
        generation++;
        changedMicros = schedule.nowMicros();
        owners = shared(new ArrayList<>(members.keySet()));
        Map<String, Consumer<Assigned>> waiting = new LinkedHashMap<>(joining);
        joining.clear();
        waiting.forEach((id, then) -> {
            Set<Integer> own = new TreeSet<>();
            owners.forEach((partition, owner) -> {
                if (owner.equals(id)) {
                    own.add(partition);
                }
            });
            then.accept(new Assigned(generation, own));
        });
    }

    private Map<Integer, String> shared(List<String> ids) {
        Map<Integer, String> result = new TreeMap<>();
        for (int i = 0; i < partitions && !ids.isEmpty(); i++) {
            // Rotated by generation, so that every rebalance moves leadership.
            result.put(i, ids.get((int) ((i + generation) % ids.size())));
        }
        return result;
    }
}
