package io.meridian.sync.aggregate;

import io.meridian.model.policy.Coordination.AfterHeal;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.WindowRule;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Working copy of the packed entry of one limit in one window. */
final class LimitEntry {
    private static final long TENTH_MICROS = 100_000;

    final LimitWindow limit;
    final List<RegionRow> rows = new ArrayList<>();
    WindowRule rule;
    /** The excess that was already reported. */
    long reportedExcess;
    /**
     * Whether what was granted of it may not be known. Its policy's window changed its length meanwhile: a region may have forgotten its account
     * of the shorter one by then, and would spend its grant again. Or the leader forgot it while its clock was far ahead. So nothing is granted
     * or published of it until the next window.
     */
    boolean unaccounted;

    LimitEntry(LimitWindow limit, WindowRule rule) {
        this.limit = limit;
        this.rule = rule;
    }

    @Nullable RegionRow find(int incarnation) {
        for (RegionRow row : rows) {
            if (row.incarnation == incarnation) {
                return row;
            }
        }
        return null;
    }

    RegionRow row(int incarnation) {
        RegionRow found = find(incarnation);
        if (found != null) {
            return found;
        }
        RegionRow added = new RegionRow(incarnation);
        rows.add(added);
        return added;
    }

    /** Usage of all incarnations of all regions. */
    long total() {
        long total = 0;
        for (RegionRow row : rows) {
            total += row.net();
        }
        return total;
    }

    /** Excess carried into the next window if the policy carries it: min(excess, limit / 2). */
    long carried(WindowRule next) {
        return next.afterHeal() == AfterHeal.CARRY ? Math.min(excess(), next.limit() / 2) : 0;
    }

    long excess() {
        return Math.max(0, total() - rule.limit());
    }

    long ratePerSecond(long nowMicros) {
        long tenths = tenths(nowMicros);
        long rate = 0;
        for (RegionRow row : rows) {
            rate += row.demandPerSecond(tenths);
        }
        return rate;
    }

    /** A time in tenths of a second from the start of the window, never negative. */
    long tenths(long micros) {
        return Math.max(0, (micros - limit.startMicros()) / TENTH_MICROS);
    }

    /** Counts under another rule from now on; verdicts under the old one do not hold under the new one. */
    void follow(WindowRule newer) {
        if (!newer.supersedes(rule) || newer.equals(rule)) {
            return;
        }
        boolean other = newer.policyVersion() != rule.policyVersion() || newer.limit() != rule.limit();
        rule = newer;
        if (other) {
            rows.forEach(row -> row.publishedBlocked = false);
        }
    }

    long endMicros() {
        return rule.endMicros(limit.startMicros());
    }
}
