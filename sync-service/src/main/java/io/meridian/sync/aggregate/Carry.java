package io.meridian.sync.aggregate;

import io.meridian.model.policy.Coordination.AfterHeal;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.WindowRule;

/** What a window pays of the one before it, where the policy says that an excess is carried: at most half of its limit. */
record Carry(LimitTable table, EntryPacking packing) {
    /** What the window before used of this one. */
    long into(LimitEntry entry) {
        if (entry.rule.afterHeal() != AfterHeal.CARRY) {
            return 0;
        }
        LimitWindow limit = entry.limit;
        long before = entry.rule.previousMicros(limit.startMicros());
        byte[] packed = table.find(packing.identity(new LimitWindow(limit.policyId(), limit.key(), before)));
        return packed == null ? 0 : outOf(packing.unpack(packed), entry.rule);
    }

    /** What of a window's excess the next one pays. */
    static long outOf(LimitEntry entry, WindowRule rule) {
        return rule.afterHeal() == AfterHeal.CARRY ? Math.min(entry.excess(), rule.limit() / 2) : 0;
    }
}
