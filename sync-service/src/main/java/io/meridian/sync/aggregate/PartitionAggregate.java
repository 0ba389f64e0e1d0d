package io.meridian.sync.aggregate;

import io.meridian.model.wire.FloorRight;
import io.meridian.model.wire.RegionAnnouncement;
import io.meridian.model.wire.UsageRecord;
import io.meridian.model.wire.VerdictRecord;
import java.util.List;

/** Aggregate of the global limits of one partition: the port by which leadership is tested without an {@link Aggregator}. */
public interface PartitionAggregate {
    /** The arrival of a record that has just been read at the end of the log. */
    long JUST_NOW = Long.MAX_VALUE;

    /**
     * Applies the report of a region; one that is repeated or late changes nothing. Usage of regional limits is not kept.
     *
     * @param arrivedMicros when the report was written, or {@link #JUST_NOW}
     */
    void applyUsage(UsageRecord usage, long arrivedMicros);

    /**
     * Registers a region that exists, whether or not it uses any limit of this partition: of limits that are used up every
     * registered region gets a verdict. A region that joins, or begins another incarnation, gets verdicts on all open limits.
     *
     * @param arrivedMicros when the announcement was written, or {@link #JUST_NOW}. A leader that starts reads old ones too, and a
     *     region that last reported long ago is not given floors of further windows
     */
    void applyAnnouncement(RegionAnnouncement announcement, long arrivedMicros);

    /** Applies a committed verdict, of this leader or any before it. */
    void applyVerdict(VerdictRecord verdict);

    /** Applies a right to floors that a leader has committed. */
    void applyFloor(FloorRight right);

    /** The highest epoch in which any leader has published; 0 if none has. */
    long epoch();

    /** A leader has published in this epoch. */
    void observeEpoch(long epoch);

    /** Leads from now on, in this epoch. It is not known what the former leader had yet to publish, so every open limit is looked at. */
    void lead(long ofEpoch, long nowMicros);

    /** Leads no longer, or not yet: records are applied, and no verdicts derived. */
    void follow();

    /** Verdicts that the leader has to publish now, of at most about {@code limitsMax} limits. Nothing changes until it is committed. */
    Tick tick(long nowMicros, int limitsMax);

    /** Forgets windows that ended long ago, in so many of the table's 256 parts; to be called again and again. */
    void sweep(long nowMicros, int parts);

    /** Number of limits and windows. */
    int size();

    /** Overshoots found since the last call: of a window each time its excess has grown. */
    List<Overshoot> overshoots();

    /** Escrow accounts in which a region spent or gave back more than it was granted, at most so many. */
    List<Anomaly> anomalies(int max);

    /** Units granted and spent, as of the last whole round of sweeps. */
    GrantTotals grants();

    /** Verdicts and rights to floors that a leader has to publish at one time. */
    interface Tick {
        List<VerdictRecord> verdicts();

        /** Rights to floors, which are committed before or with the verdicts that count them. */
        List<FloorRight> floors();

        default boolean isEmpty() {
            return verdicts().isEmpty() && floors().isEmpty();
        }

        /**
         * Applies it: it is now committed. A leader that does not learn whether it is reads what was published to the end before it
         * publishes again.
         */
        void committed();
    }
}
