package io.meridian.model.counter;

/**
 * What a region keeps of one limit in one window: its own use, what it was told, and in escrow its grant. Immutable. Its own
 * numbers only grow, so that reporting them merges.
 *
 * @param applied what of the usage elsewhere the region's own counter was charged, where there is one
 * @param granted the most it was ever told that it was granted
 * @param grantReturned what of that it gave back, by lowering its own line first
 * @param floor what it may spend without a grant; {@link #UNDECIDED} until it was first asked or asked to give something back
 * @param asked what was asked for, refused requests included
 * @param refused what was refused for want of a grant since the last verdict, up to the limit: what waits for a grant, because checks that
 *     wait ask again after every verdict
 */
public record WindowAccount(
        long taken,
        long returned,
        WindowVerdict told,
        long applied,
        long granted,
        long grantReturned,
        long floor,
        long asked,
        long refused) {
    /** The most that any of its numbers says: what is stored has six bytes for each. No limit is nearly as large. */
    public static final long MAX = (1L << 48) - 1;

    public static final long UNDECIDED = -1;

    public static final WindowAccount EMPTY = new WindowAccount(0, 0, WindowVerdict.NONE, 0, 0, 0, UNDECIDED, 0, 0);

    /** What the region used. */
    public long own() {
        return taken - returned;
    }

    /** All that it may spend: its floor and its grants, less what it has given back. */
    public long held() {
        return Math.max(0, floor) + granted - grantReturned;
    }

    boolean isFloorDecided() {
        return floor != UNDECIDED;
    }

    WindowAccount decideFloor(long units) {
        return new WindowAccount(taken, returned, told, applied, granted, grantReturned, units, asked, refused);
    }

    /** What is used of the window as far as the region knows. */
    long used() {
        return own() + told.elsewhere();
    }

    /** Whether the world has reached this limit under this version. */
    boolean isBlocked(long version, long limit) {
        return told.blocked() && told.version() == version && limit <= told.limit();
    }

    WindowAccount take(long units) {
        return new WindowAccount(sum(taken, units), returned, told, applied, granted, grantReturned, floor, asked, refused);
    }

    /** Gives back up to {@code units} of what was taken. */
    WindowAccount giveBack(long units) {
        return new WindowAccount(
                taken, returned + Math.min(units, own()), told, applied, granted, grantReturned, floor, asked, refused);
    }

    WindowAccount ask(long units) {
        return new WindowAccount(taken, returned, told, applied, granted, grantReturned, floor, sum(asked, units), refused);
    }

    /** Adds to what is refused, at most up to the limit: more could not be granted. */
    WindowAccount refuse(long cost, long limit) {
        long most = Math.max(refused, Math.min(limit, MAX));
        return new WindowAccount(
                taken,
                returned,
                told,
                applied,
                granted,
                grantReturned,
                floor,
                asked,
                Math.min(most, sum(refused, cost)));
    }

    private static long sum(long number, long more) {
        return Math.min(MAX, number + Math.min(more, MAX));
    }

    WindowAccount charged() {
        return new WindowAccount(taken, returned, told, told.elsewhere(), granted, grantReturned, floor, asked, refused);
    }

    /**
     * The book after a verdict: the newest is believed, grants only grow, and what is called back is given back at once. A region that is asked
     * to give something back before it was first asked for any has no floor from then on.
     */
    public WindowAccount hear(WindowVerdict verdict) {
        boolean newer = verdict.isNewerThan(told);
        long more = Math.max(granted, verdict.granted());
        boolean calledBack = newer && verdict.keep() != WindowVerdict.KEEP_ALL;
        long decided = calledBack ? Math.max(0, floor) : floor;
        long unspent = Math.max(0, Math.max(0, decided) + more - grantReturned - own());
        long back = newer ? Math.max(0, unspent - verdict.keep()) : 0;
        return new WindowAccount(
                taken,
                returned,
                newer ? verdict : told,
                applied,
                more,
                grantReturned + back,
                decided,
                asked,
                newer || more > granted ? 0 : refused);
    }

    /** Whether so much unreported change matters while so much remains: at least one part of 64 of it. */
    public static boolean matters(long unreported, long remaining) {
        return unreported > 0 && unreported >= remaining / 64.0;
    }

    /**
     * What a region is told of one limit in one window.
     *
     * @param version the version of the policy the flag speaks of
     * @param limit the limit the flag speaks of: a higher one is not reached
     * @param granted all that was ever granted to this life of the region
     * @param keep what of its grants it may keep unspent
     */
    public record WindowVerdict(
            long epoch, long sequence, long elsewhere, boolean blocked, long version, long limit, long granted, long keep) {
        static final long KEEP_ALL = Long.MAX_VALUE;

        /** Before anybody has said anything. */
        static final WindowVerdict NONE = new WindowVerdict(0, 0, 0, false, 0, 0, 0, KEEP_ALL);

        /** Whether this was said after {@code other}. */
        boolean isNewerThan(WindowVerdict other) {
            return epoch > other.epoch || (epoch == other.epoch && sequence > other.sequence);
        }
    }
}
