package io.meridian.model.aggregate;

import io.meridian.model.usage.Sharing;
import io.meridian.model.wire.VerdictRecord;

/**
 * What a leader tells the regions of a limit that they count together: what the others used, when that has moved by a share of
 * what remains, and that the limit is reached. Near the limit every unit is told, so what a region does not know vanishes there.
 */
final class Converge {
    /** What moves by less than one part of so many of what remains can wait. */
    private static final long SHARE = 64;

    private Converge() {}

    /**
     * Tells every region what matters to it.
     *
     * @param carried what an earlier window used of this one
     * @param all whether also what hardly moved is told
     * @return whether something is left untold
     */
    static boolean tell(
            Entry entry, Lives lives, long carried, boolean all, Speech.Echoes echoes, long now, Speech to) {
        long total = entry.total() + carried;
        boolean blocked = entry.rule.sharing() == Sharing.CONVERGE && total >= entry.rule.limit();
        long remaining = Math.max(0, entry.rule.limit() - total);
        long matters = all ? 1 : Math.max(1, remaining / SHARE);
        boolean untold = false;
        for (int life : lives.last()) {
            Row row = entry.find(life);
            if (row == null && !blocked) {
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
                        entry.ratePerSecond(now));
            } else {
                untold |= moved > 0;
            }
        }
        return untold;
    }
}
