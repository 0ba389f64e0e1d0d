package io.meridian.chaos.sim;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Kafka's coordinator of the replicas' group: shares partitions out anew whenever a member comes, goes, or is not heard of. */
final class SimGroup {
    private static final long SESSION_MICROS =
            SimSettings.micros(SimSettings.sync("any").session());
    private static final long REBALANCE_MICROS = 5_000_000;

    private final Schedule schedule;
    private final int partitions;
    private final long sessionMicros;
    private final Map<String, Member> members = new TreeMap<>();
    /** Those who wait for the next generation. */
    private final Map<String, Consumer<Assigned>> joining = new LinkedHashMap<>();

    private Map<Integer, String> owners = new TreeMap<>();
    private long generation;
    private boolean preparing;
    private long preparingMicros;
    private long changedMicros;

    /** A member's part of a generation. */
    record Assigned(long generation, Set<Integer> partitions) {}

    /** What a member hears when it says that it is there. */
    enum Beat {
        FINE,
        JOIN_AGAIN,
        UNKNOWN
    }

    private static final class Member {
        long heardMicros;
    }

    SimGroup(Schedule schedule, int partitions, Broken broken) {
        this.schedule = schedule;
        this.partitions = partitions;
        this.sessionMicros = broken == Broken.LATE_SESSION ? 3 * SESSION_MICROS : SESSION_MICROS;
        this.changedMicros = schedule.nowMicros();
        schedule.every(100_000, this::look);
    }

    Beat beat(String id, long ofGeneration) {
        Member member = members.get(id);
        if (member == null) {
            return Beat.UNKNOWN;
        }
        member.heardMicros = schedule.nowMicros();
        if (preparing) {
            return Beat.JOIN_AGAIN;
        }
        return ofGeneration == generation ? Beat.FINE : Beat.JOIN_AGAIN;
    }

    void join(String id, Consumer<Assigned> then) {
        members.computeIfAbsent(id, absent -> new Member()).heardMicros = schedule.nowMicros();
        joining.put(id, then);
        prepare();
        look();
    }

    void leave(String id) {
        if (members.remove(id) != null) {
            joining.remove(id);
            prepare();
            look();
        }
    }

    /** What fences: whether this is a member of the generation of now. */
    boolean isCurrent(String id, long ofGeneration) {
        return members.containsKey(id) && ofGeneration == generation;
    }

    /** When it was last shared out anew. */
    long changedMicros() {
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
            boolean silent = now - member.heardMicros > sessionMicros;
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
            // Another one each time, so that every rebalance moves leadership.
            result.put(i, ids.get((int) ((i + generation) % ids.size())));
        }
        return result;
    }
}
