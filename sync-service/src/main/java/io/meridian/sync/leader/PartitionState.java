package io.meridian.sync.leader;

import io.meridian.model.wire.FloorRight;
import io.meridian.model.wire.LeaderBeat;
import io.meridian.model.wire.RegionAnnouncement;
import io.meridian.model.wire.UsageRecord;
import io.meridian.model.wire.VerdictRecord;
import io.meridian.sync.aggregate.PartitionAggregate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** State of one partition at a replica: its aggregate, how far it was read, and the phase of its leadership. Outlives Kafka clients. */
public final class PartitionState {
    private final int number;
    private final PartitionAggregate aggregate;
    private final Arrivals arrivals = new Arrivals();
    private Phase phase = new Phase.Standby();
    private long usagePosition;
    private long verdictsPosition;
    private @Nullable LeaderBeat beat;
    private long beatNanos;
    private boolean beatOwed;

    public PartitionState(int number, PartitionAggregate aggregate) {
        this.number = number;
        this.aggregate = aggregate;
    }

    /** Phase of a replica's leadership of a partition. Only valid transitions exist: each is a method of the phase it leaves. */
    sealed interface Phase {
        /** Another replica leads, or none: this one reads along. */
        record Standby() implements Phase {
            Unsettled assigned() {
                return new Unsettled();
            }
        }

        /** The group assigned the partition, which is not led yet. */
        sealed interface Candidate extends Phase {}

        /** A predecessor's transaction may still be on its way. */
        record Unsettled() implements Candidate {
            Settled settled() {
                return new Settled();
            }
        }

        /** No predecessor can commit any more. What was committed ends before where both topics end from now on. */
        record Settled() implements Candidate {
            CatchingUp until(LogPort.End end) {
                return new CatchingUp(end.usage(), end.verdicts());
            }
        }

        /** All up to these ends has to be read. */
        record CatchingUp(long usageEnd, long verdictsEnd) implements Candidate {
            boolean isDone(long usagePosition, long verdictsPosition) {
                return usagePosition >= usageEnd && verdictsPosition >= verdictsEnd;
            }

            Leader lead(long epoch) {
                return new Leader(epoch);
            }
        }

        /** The replica leads the partition, in this epoch. */
        record Leader(long epoch) implements Phase {
            /** Its last transaction may have been committed or not, or another replica may have published since. */
            Unsettled doubted() {
                return new Unsettled();
            }
        }
    }

    /** Role of a replica at a partition, as its status shows it. */
    public enum Role {
        LEADER,
        CANDIDATE,
        STANDBY
    }

    /** Arrival times of usage that no committed tick has taken in yet. Of a flood only the first {@link #MAX} are measured. */
    static final class Arrivals {
        static final int MAX = 1_000;

        private final List<Arrival> waiting = new ArrayList<>();
        private boolean fresh;

        /** Time at which the broker took a region's report. */
        record Arrival(String region, long appendedMicros) {}

        void add(String region, long appendedMicros) {
            fresh = true;
            if (waiting.size() < MAX) {
                waiting.add(new Arrival(region, appendedMicros));
            }
        }

        /** Whether anything came since the last tick. */
        boolean isFresh() {
            return fresh;
        }

        void ticked() {
            fresh = false;
        }

        List<Arrival> take() {
            List<Arrival> taken = List.copyOf(waiting);
            waiting.clear();
            return taken;
        }

        void clear() {
            waiting.clear();
            fresh = false;
        }
    }

    public int number() {
        return number;
    }

    public PartitionAggregate aggregate() {
        return aggregate;
    }

    public Role role() {
        if (phase instanceof Phase.Leader) {
            return Role.LEADER;
        }
        return phase instanceof Phase.Candidate ? Role.CANDIDATE : Role.STANDBY;
    }

    /** The last beat of the leader with the highest epoch; null before the first. */
    public @Nullable LeaderBeat beat() {
        return beat;
    }

    /** The next offset of usage to read, 0 before anything was. */
    public long usagePosition() {
        return usagePosition;
    }

    public void usagePosition(long next) {
        usagePosition = next;
    }

    /** The next offset of verdicts to read, 0 before anything was. */
    public long verdictsPosition() {
        return verdictsPosition;
    }

    public void verdictsPosition(long next) {
        verdictsPosition = next;
    }

    public void applyUsage(UsageRecord usage, long arrivedMicros) {
        aggregate.applyUsage(usage, arrivedMicros);
    }

    public void applyAnnouncement(RegionAnnouncement announcement, long arrivedMicros) {
        aggregate.applyAnnouncement(announcement, arrivedMicros);
    }

    /** Notes when usage arrived. At a standby it is for another replica to answer. */
    public void arrived(String region, long appendedMicros) {
        if (role() != Role.STANDBY) {
            arrivals.add(region, appendedMicros);
        }
    }

    public void applyVerdict(VerdictRecord verdict) {
        aggregate.applyVerdict(verdict);
    }

    public void applyFloor(FloorRight right) {
        aggregate.applyFloor(right);
    }

    public void applyBeat(LeaderBeat next) {
        aggregate.observeEpoch(next.epoch());
        if (beat == null || next.epoch() >= beat.epoch()) {
            beat = next;
        }
    }

    public void assigned() {
        if (phase instanceof Phase.Standby standby) {
            phase = standby.assigned();
        }
    }

    public void lost() {
        phase = new Phase.Standby();
        aggregate.follow();
        arrivals.clear();
    }

    /** A leader has to take over anew. A candidate has published nothing that could be in doubt. */
    void doubted() {
        if (phase instanceof Phase.Leader leader) {
            phase = leader.doubted();
            aggregate.follow();
        }
    }

    void move(Phase.Candidate next) {
        phase = next;
    }

    void lead(Phase.CatchingUp from, long nowMicros) {
        long epoch = aggregate.epoch() + 1;
        phase = from.lead(epoch);
        aggregate.lead(epoch, nowMicros);
        beatOwed = true;
    }

    boolean isBeatDue(long nowNanos, long everyNanos) {
        return beatOwed || nowNanos - beatNanos >= everyNanos;
    }

    void beatPublished(long nowNanos) {
        beatOwed = false;
        beatNanos = nowNanos;
    }

    Arrivals arrivals() {
        return arrivals;
    }

    Phase phase() {
        return phase;
    }
}
