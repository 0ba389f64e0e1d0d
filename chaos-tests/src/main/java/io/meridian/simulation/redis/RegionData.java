package io.meridian.simulation.redis;

import io.meridian.limiter.region.LimitId;
import io.meridian.limiter.region.RegionAccounts.DueAccount;
import io.meridian.model.algorithm.CounterState;
import io.meridian.model.counter.GlobalLimitState;
import io.meridian.model.counter.WindowAccount;
import io.meridian.model.usage.LimitWindow;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** Data of a region's Redis. Values are immutable except for marks, so that the copies of a replica are cheap. */
public final class RegionData {
    /** State of a limit in one incarnation. */
    public record ShelfId(long life, LimitId limit) {}

    public final Map<ShelfId, GlobalLimitState> shelves = new LinkedHashMap<>();
    final Map<LimitId, CounterState> counters = new HashMap<>();
    final Map<ReportMark.Id, ReportMark> marks = new LinkedHashMap<>();
    public long life;
    boolean wiped = true;
    String runId = "";

    RegionData copied() {
        RegionData copy = new RegionData();
        copy.shelves.putAll(shelves);
        copy.counters.putAll(counters);
        marks.forEach((id, mark) -> copy.marks.put(id, mark.copied()));
        copy.life = life;
        copy.wiped = wiped;
        copy.runId = runId;
        return copy;
    }

    public GlobalLimitState shelf(long ofLife, LimitId limit) {
        GlobalLimitState known = shelves.get(new ShelfId(ofLife, limit));
        return known == null ? GlobalLimitState.startedAt(ofLife) : known;
    }

    public WindowAccount book(long ofLife, LimitWindow limit) {
        return shelf(ofLife, new LimitId(limit.policyId(), limit.key())).account(limit.startMicros());
    }

    ReportMark mark(long ofLife, LimitWindow limit) {
        return marks.computeIfAbsent(new ReportMark.Id(ofLife, limit), absent -> new ReportMark());
    }

    /** Report mark of a window account: when it is due, and the changes since it was last claimed. */
    public static final class ReportMark {
        /** Urgency of the report. */
        enum Due {
            CLEAN,
            LATER,
            NOW,
            CLAIMED
        }

        /** Account by incarnation, limit and window. */
        record Id(long life, LimitWindow limit) {}

        private static final long HEARTBEAT_MICROS = 1_000_000;
        /** Lifetime of a claim, and so the longest wait of any report. */
        public static final long CLAIM_MICROS = 4_000_000;

        private static final long MATTERS_PART = 64;

        private Due due = Due.CLEAN;
        private long dueMicros = Long.MAX_VALUE;
        private long unreported;
        long ownLimit;

        ReportMark copied() {
            ReportMark copy = new ReportMark();
            copy.due = due;
            copy.dueMicros = dueMicros;
            copy.unreported = unreported;
            copy.ownLimit = ownLimit;
            return copy;
        }

        /** A mark that seems to wait for longer than any report does was set before the clock was set back. */
        boolean isDue(long nowMicros) {
            return due != Due.CLEAN && (dueMicros <= nowMicros || dueMicros > nowMicros + CLAIM_MICROS);
        }

        /** Records a change, which is due at once if it is more than a small share of what remains. */
        public void changed(long units, long remaining, boolean urgent, long nowMicros) {
            unreported += units;
            mark(urgent || unreported * MATTERS_PART >= remaining, nowMicros);
        }

        private void mark(boolean now, long nowMicros) {
            Due wanted = now ? Due.NOW : Due.LATER;
            if (due.compareTo(wanted) < 0) {
                due = wanted;
                dueMicros = nowMicros + (now ? 0 : HEARTBEAT_MICROS);
            }
        }

        /** Claims the report for an instance, until the returned time. */
        public long claim(long nowMicros) {
            due = Due.CLAIMED;
            unreported = 0;
            dueMicros = nowMicros + CLAIM_MICROS;
            return dueMicros;
        }

        /** Acknowledges the report of this claim. */
        public void reported(long claim, long nowMicros) {
            if (due != Due.CLAIMED || dueMicros != claim) {
                unreported++;
                mark(true, nowMicros);
            } else if (unreported == 0) {
                due = Due.CLEAN;
                dueMicros = Long.MAX_VALUE;
            } else {
                due = Due.CLEAN;
                mark(true, nowMicros);
            }
        }

        static long claimOf(DueAccount book) {
            return Long.parseLong(book.handle());
        }
    }
}
