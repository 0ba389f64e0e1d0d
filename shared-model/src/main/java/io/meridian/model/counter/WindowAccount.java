package io.meridian.model.counter;

/**
 * Account of a region for one global limit in one window: its own usage, the newest verdict, and in escrow its grant. Immutable. Its own
 * numbers only grow, so that reports of them merge.
 *
 * @param applied what of the usage elsewhere the region's own counter was charged, where there is one
 * @param granted the highest grant of any verdict
 * @param grantReturned what of that it gave back, by lowering its own line first
 * @param floor what it may spend without a grant; {@link #UNDECIDED} until the first request or the first recall of grants
 * @param requested demand, refused requests included
 * @param refused what was refused for want of a grant since the last verdict, up to the limit: what waits for a grant, because checks that
 *     wait try again after every verdict
 */
public record WindowAccount(
        long taken,
        long returned,
        WindowVerdict verdict,
        long applied,
        long granted,
        long grantReturned,
        long floor,
        long requested,
        long refused) {
    /** Largest value of its numbers: the stored form has six bytes for each. No limit is nearly as large. */
    public static final long MAX = (1L << 48) - 1;

    public static final long UNDECIDED = -1;

    /** A change is reported at once if it is at least one part of so many of what remains. */
    public static final long MATTERS_PART = 64;

    public static final WindowAccount EMPTY = new WindowAccount(0, 0, WindowVerdict.NONE, 0, 0, 0, UNDECIDED, 0, 0);

    /** Usage of the region. */
    public long own() {
        return taken - returned;
    }

    /** All that it may spend: its floor and its grants, less what it has given back. */
    public long grantAvailable() {
        return Math.max(0, floor) + granted - grantReturned;
    }

    boolean isFloorDecided() {
        return floor != UNDECIDED;
    }

    WindowAccount decideFloor(long units) {
        return new WindowAccount(taken, returned, verdict, applied, granted, grantReturned, units, requested, refused);
    }

    /** Usage of all regions, as far as this one knows. */
    long used() {
        return own() + verdict.usedElsewhere();
    }

    /** Whether all regions together have reached this limit under this version. */
    boolean isBlocked(long version, long limit) {
        return verdict.blocked() && verdict.version() == version && limit <= verdict.limit();
    }

    WindowAccount take(long units) {
        return new WindowAccount(
                sum(taken, units), returned, verdict, applied, granted, grantReturned, floor, requested, refused);
    }

    /** Gives back up to {@code units} of what was taken. */
    WindowAccount refund(long units) {
        return new WindowAccount(
                taken,
                returned + Math.min(units, own()),
                verdict,
                applied,
                granted,
                grantReturned,
                floor,
                requested,
                refused);
    }

    WindowAccount request(long units) {
        return new WindowAccount(
                taken, returned, verdict, applied, granted, grantReturned, floor, sum(requested, units), refused);
    }

    /** Adds to what is refused, at most up to the limit: more could not be granted. */
    WindowAccount refuse(long cost, long limit) {
        long most = Math.max(refused, Math.min(limit, MAX));
        return new WindowAccount(
                taken,
                returned,
                verdict,
                applied,
                granted,
                grantReturned,
                floor,
                requested,
                Math.min(most, sum(refused, cost)));
    }

    static long sum(long number, long more) {
        return Math.min(MAX, number + Math.min(more, MAX));
    }

    WindowAccount charged() {
        return new WindowAccount(
                taken, returned, verdict, verdict.usedElsewhere(), granted, grantReturned, floor, requested, refused);
    }

    /**
     * The account after a verdict: the newest counts, grants only grow, and what is called back is given back at once. A region whose
     * grants are called back before its first request has no floor from then on.
     */
    public WindowAccount apply(WindowVerdict next) {
        boolean newer = next.isNewerThan(verdict);
        long more = Math.max(granted, next.granted());
        boolean calledBack = newer && next.keep() != WindowVerdict.KEEP_ALL;
        long decided = calledBack ? Math.max(0, floor) : floor;
        long unspent = Math.max(0, Math.max(0, decided) + more - grantReturned - own());
        long back = newer ? Math.max(0, unspent - next.keep()) : 0;
        return new WindowAccount(
                taken,
                returned,
                newer ? next : verdict,
                applied,
                more,
                grantReturned + back,
                decided,
                requested,
                newer || more > granted ? 0 : refused);
    }

    /** Whether so much unreported change matters while so much remains: at least one part of {@value #MATTERS_PART} of it. */
    public static boolean matters(long unreported, long remaining) {
        return unreported > 0 && unreported >= remaining / (double) MATTERS_PART;
    }

    /**
     * Verdict on one limit in one window, as a region applies it.
     *
     * @param usedElsewhere what all other regions used
     * @param blocked whether all regions together have reached the limit
     * @param version version of the policy to which the flag applies
     * @param limit limit to which the flag applies: a higher one is not reached
     * @param granted all that was ever granted to this incarnation of the region
     * @param keep what of its grants it may keep unspent
     */
    public record WindowVerdict(
            long epoch,
            long sequence,
            long usedElsewhere,
            boolean blocked,
            long version,
            long limit,
            long granted,
            long keep) {
        static final long KEEP_ALL = Long.MAX_VALUE;

        /** Before the first verdict. */
        static final WindowVerdict NONE = new WindowVerdict(0, 0, 0, false, 0, 0, 0, KEEP_ALL);

        /** Whether this was published after {@code other}. */
        boolean isNewerThan(WindowVerdict other) {
            return epoch > other.epoch || (epoch == other.epoch && sequence > other.sequence);
        }
    }
}
