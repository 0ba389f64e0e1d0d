package io.meridian.sync.aggregate;

import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.WindowRule;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is known of one limit in one window. A working copy of packed bytes. */
final class LimitEntry {
    private static final long TENTH_MICROS = 100_000;

    final LimitWindow limit;
    final List<RegionRow> rows = new ArrayList<>();
    WindowRule rule;
    /** The excess that was already told of. */
    long toldExcess;
    /**
     * Whether what was granted of it may not be known. Its policy's window changed its length meanwhile: a region may have forgotten its book of
     * the shorter one by then, and would spend again what it is told that it was granted. Or the leader forgot it while its clock was far
     * ahead. So nothing is granted, nor told of, until the next window.
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

    /** What all incarnations of all regions used. */
    long total() {
        long total = 0;
        for (RegionRow row : rows) {
            total += row.net();
        }
        return total;
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

    /** Counts under another rule from now on; what was said of the old one says nothing of the new one. */
    void follow(WindowRule newer) {
        if (!newer.supersedes(rule) || newer.equals(rule)) {
            return;
        }
        boolean other = newer.policyVersion() != rule.policyVersion() || newer.limit() != rule.limit();
        rule = newer;
        if (other) {
            rows.forEach(row -> row.toldBlocked = false);
        }
    }

    long endMicros() {
        return rule.endMicros(limit.startMicros());
    }
}
