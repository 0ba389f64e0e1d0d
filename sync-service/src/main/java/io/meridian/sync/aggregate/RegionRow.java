package io.meridian.sync.aggregate;

import io.meridian.model.usage.UsageCount;
import io.meridian.model.wire.UsageRecord;
import io.meridian.sync.aggregate.GrantLedger.Account;

/** Working copy of the packed row of one incarnation of a region in one window: its reports, and the last verdict published to it. */
final class RegionRow {
    /** The region has not decided yet whether it uses its floor, or has not reported it. */
    static final long UNDECIDED = -1;

    private static final long TENTHS_PER_SECOND = 10;
    /** Longer than a check waits for a grant, and than it takes to call back what another region holds. */
    private static final long REFUSED_TENTHS = 15;

    final int incarnation;
    long taken;
    long returned;
    long granted;
    long grantReturned;
    /** Units that it may spend without a grant, as it decided for this window. */
    long floor = UNDECIDED;

    long demandPerSecond;
    long refusedCost;
    /** When it last reported, by the leader's clock, in tenths of a second from the start of the window. */
    long reportedTenths;

    long publishedElsewhere;
    boolean publishedBlocked;

    RegionRow(int incarnation) {
        this.incarnation = incarnation;
    }

    /** Merges a report; false if it is older than what is known, and so not the current state. */
    boolean count(UsageRecord usage) {
        boolean late = usage.count().taken() < taken
                || usage.count().returned() < returned
                || usage.grantReturned() < grantReturned;
        taken = Math.max(taken, usage.count().taken());
        returned = Math.max(returned, usage.count().returned());
        grantReturned = Math.max(grantReturned, usage.grantReturned());
        floor = Math.max(floor, usage.floor());
        return !late;
    }

    long net() {
        return taken - returned;
    }

    /**
     * The demand last reported, halved for every second of silence, because an idle region does not report that it is.
     *
     * @param windowTenths now, in tenths of a second from the start of the window
     */
    long demandPerSecond(long windowTenths) {
        long silent = Math.max(0, windowTenths - reportedTenths - TENTHS_PER_SECOND / 2) / TENTHS_PER_SECOND;
        return silent >= Long.SIZE ? 0 : demandPerSecond >> silent;
    }

    /**
     * Cost last reported as refused, for a while: after that, checks that still wait have reported again, and others have gone.
     *
     * @param windowTenths now, in tenths of a second from the start of the window
     */
    long refusedCost(long windowTenths) {
        return windowTenths - reportedTenths <= REFUSED_TENTHS ? refusedCost : 0;
    }

    Account account() {
        return account(0);
    }

    /** @param reserved what counts as its floor as long as it has not decided */
    Account account(long reserved) {
        return new Account(granted + floorOr(reserved), grantReturned, new UsageCount(taken, returned));
    }

    long floorOr(long reserved) {
        return floor == UNDECIDED ? reserved : floor;
    }
}
