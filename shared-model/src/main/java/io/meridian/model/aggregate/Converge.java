package io.meridian.model.aggregate;

import io.meridian.model.usage.Sharing;
import io.meridian.model.wire.VerdictRecord;

/**
 * Verdicts of a leader on a limit that regions count together: what the others used, when that has moved by a share of what
 * remains, and that the limit is reached. Near the limit every unit is told, so what a region does not know vanishes there.
 *
 * <p>A region that has not used the limit itself is told once it could admit too much: when the limit is reached, or, of a limit
 * without aligned windows, which has no such moment, when {@value #NEAR_PERCENT} % of it were used within two periods.
 *
 * @param all whether also what hardly moved is told
 */
record Converge(Lives lives, boolean all, long nowMicros, Speech to) {
    /** What moves by less than one part of so many of what remains can wait. */
    private static final long SHARE = 64;

    private static final double NEAR_PERCENT = 75;

    /**
     * Whether also regions that have not used the limit have to know.
     *
     * @param counted what is used and still counts
     */
    boolean concernsAll(Entry entry, long counted) {
        long limit = entry.rule.limit();
        return entry.rule.sharing() == Sharing.CONVERGE ? counted >= limit : 100.0 * counted >= NEAR_PERCENT * limit;
    }

    /**
     * Tells every region what matters to it.
     *
     * @param carried what an earlier window used of this one
     * @param everywhere whether also regions that have not used it are told
     * @return whether something is left untold
     */
    boolean tell(Entry entry, long carried, boolean everywhere, Speech.Echoes echoes) {
        long total = entry.total() + carried;
        boolean blocked = entry.rule.sharing() == Sharing.CONVERGE && total >= entry.rule.limit();
        long remaining = Math.max(0, entry.rule.limit() - total);
        long matters = all ? 1 : Math.max(1, remaining / SHARE);
        boolean untold = false;
        for (int life : lives.last()) {
            Row row = entry.find(life);
            if (row == null && !everywhere) {
                continue;
            }
            Row known = row == null ? new Row(life) : row;
            long elsewhere = Math.max(0, total - known.net());
            long moved = Math.abs(elsewhere - known.toldElsewhere);
            if (moved >= matters || blocked != known.toldBlocked) {
                to.say(
                        entry.limit,
                        entry.rule,
                        lives.life(life),
                        new Speech.Said(elsewhere, blocked, known.granted, VerdictRecord.KEEP_ALL),
                        echoes.of(life),
                        entry.ratePerSecond(nowMicros));
            } else {
                untold |= moved > 0;
            }
        }
        return untold;
    }
}
