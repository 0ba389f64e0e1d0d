package io.meridian.sync.aggregate;

import io.meridian.model.usage.SharingMode;
import io.meridian.model.wire.VerdictRecord;

/**
 * Verdicts on a global limit in converge mode: what the other regions used, when that has moved by a share of what remains, and that the limit
 * is reached. Near the limit every unit is published, so what a region does not know vanishes there.
 *
 * <p>A region that has not used the limit itself gets a verdict once it could admit too much: when the limit is reached, or, of a limit
 * without aligned windows, which has no such moment, when {@value #NEAR_PERCENT} % of it were used within two periods.
 *
 * @param all whether also what hardly moved is published
 */
record ConvergeVerdicts(Incarnations incarnations, boolean all, long nowMicros, VerdictBatch to) {
    /** Divisor of the remaining units: a change below max(1, remaining / SHARE) is published later. */
    private static final long SHARE = 64;

    private static final double NEAR_PERCENT = 75;

    /**
     * Whether also regions that have not used the limit need a verdict.
     *
     * @param counted what is used and still counts
     */
    boolean concernsAll(LimitEntry entry, long counted) {
        long limit = entry.rule.limit();
        return entry.rule.sharing() == SharingMode.CONVERGE
                ? counted >= limit
                : 100.0 * counted >= NEAR_PERCENT * limit;
    }

    /**
     * Adds the verdicts that matter to their regions.
     *
     * @param carried what an earlier window used of this one
     * @param everywhere whether also regions that have not used it get verdicts
     * @return whether something is left unpublished
     */
    boolean add(LimitEntry entry, long carried, boolean everywhere, VerdictBatch.Echoes echoes) {
        long total = entry.total() + carried;
        boolean blocked = entry.rule.sharing() == SharingMode.CONVERGE && total >= entry.rule.limit();
        long remaining = Math.max(0, entry.rule.limit() - total);
        long matters = all ? 1 : Math.max(1, remaining / SHARE);
        boolean unpublished = false;
        for (int incarnation : incarnations.last()) {
            RegionRow row = entry.find(incarnation);
            if (row == null && !everywhere) {
                continue;
            }
            RegionRow known = row == null ? new RegionRow(incarnation) : row;
            long elsewhere = Math.max(0, total - known.net());
            long moved = Math.abs(elsewhere - known.publishedElsewhere);
            if (moved >= matters || blocked != known.publishedBlocked) {
                to.add(
                        entry.limit,
                        entry.rule,
                        incarnations.incarnation(incarnation),
                        new VerdictBatch.Content(elsewhere, blocked, known.granted, VerdictRecord.KEEP_ALL),
                        echoes.of(incarnation),
                        entry.ratePerSecond(nowMicros));
            } else {
                unpublished |= moved > 0;
            }
        }
        return unpublished;
    }
}
