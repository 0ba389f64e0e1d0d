package io.meridian.limiter.region;

import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.counter.CounterReply;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.counter.GlobalCounter.FloorOffer;
import io.meridian.model.match.Check;
import io.meridian.model.match.Limit;
import io.meridian.model.wire.InstanceReport;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** Interfaces through which the decisions of one instance reach what is outside of it, but for the counters and records of its region. */
public final class Ports {
    private Ports() {}

    /** Port to this instance's contact with the leaders: how old their last message is, and what that may cost. */
    public interface LeaderContact {
        /** There is none: nothing is known of other regions. */
        LeaderContact NONE = new LeaderContact() {
            @Override
            public long stalenessMillis(Limit limit) {
                return 0;
            }

            @Override
            public boolean isReachable(Limit limit) {
                return false;
            }

            @Override
            public long boundUnits(Limit limit) {
                return limit.quota().capacity();
            }

            @Override
            public InstanceReport.Loop loop() {
                return InstanceReport.Loop.NONE;
            }
        };

        /** How long ago the leader of the limit was last heard of, by this instance. */
        long stalenessMillis(Limit limit);

        /** Whether the leader of the limit was heard of lately; if not, the region is cut off. */
        boolean isReachable(Limit limit);

        /** The most that all regions together may admit of the limit, as far as can be told: its limit, rate and loop delay. */
        long boundUnits(Limit limit);

        /** How this instance and the leaders talk. */
        InstanceReport.Loop loop();

        /** The replica that leads each partition of the usage topic, without partitions whose leader is silent. */
        default SortedMap<Integer, String> leaders() {
            return Collections.emptySortedMap();
        }
    }

    /**
     * Port to the fallback that decides while the region's counters cannot be reached: this instance alone, by each policy's
     * on_failure.
     */
    public interface Fallback {
        /** Replies to a group of requests: all its takes succeed or none. No limit of the group fails closed. */
        List<CounterReply> answer(List<CounterRequest> group, long nowMicros);

        /** Hands out up to {@code max} of what was admitted here and must be charged to the region. */
        List<CounterRequest.Charge> pendingCharges(int max);

        /** Takes back what could not be charged. */
        void returnCharge(CounterRequest.Charge settle);
    }

    /** Port to the floors of the region: shares of limits in escrow that it may spend without a grant. */
    public interface FloorOffers {
        /** The region has none: every unit of a limit in escrow waits for a grant. */
        FloorOffers NONE = (limit, incarnation) -> FloorOffer.NONE;

        /** The floor of a limit in escrow, in one incarnation of the region's data. */
        FloorOffer offer(Limit limit, long incarnation);
    }

    /** Port to the accounts of the use of a region's own limits. Called for every check: fast, and never fails. */
    public interface UsageAccounts {
        /** Tells nobody. */
        UsageAccounts NONE = new UsageAccounts() {
            @Override
            public void charged(Limit limit, long units, long takenMicros) {}

            @Override
            public void refunded(Limit limit, long units, long takenMicros) {}
        };

        void charged(Limit limit, long units, long takenMicros);

        void refunded(Limit limit, long units, long takenMicros);
    }

    /** Port to the records of denials. */
    public interface ViolationSink {
        /** Tells nobody. */
        ViolationSink NONE = (limit, standing, check, shadow, nowMicros) -> {};

        /**
         * A limit refused a check. Called on the event loop for every denial: takes well under a microsecond, and never blocks or
         * fails.
         *
         * @param standing the counter that refused
         * @param shadow whether the policy only records, so that the check was not denied by it
         * @param nowMicros the region's time
         */
        void refused(Limit limit, Standing standing, Check check, boolean shadow, long nowMicros);
    }

    /** Port to the region's load. */
    public interface LoadSignal {
        /** The load in percent, empty if none was reported lately. */
        Optional<Integer> percent();
    }

    /** Port for reports of the region's load, by which adaptive limits scale. */
    public interface LoadReport {
        /** Takes a load from 0 to 100 percent. */
        void report(int percent);
    }

    /** Port to timers, whose tasks run on whatever thread answers come on. */
    public interface Timers {
        void after(long millis, Runnable task);
    }
}
