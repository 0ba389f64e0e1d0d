package io.meridian.limiter.policy;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jboss.logging.Logger;

/** What was not taken, by kind: all is counted, of records the first of each kind is logged. */
final class Refusals {
    private static final Logger LOG = Logger.getLogger(Refusals.class);

    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

    /** A record that is skipped. A topic may hold a million of one sort, so that only the first is told. */
    void skipped(String kind, String reason) {
        if (count(kind) == 1) {
            LOG.warnf("skipped a record: kind=%s, reason=%s; further ones of this kind are only counted", kind, reason);
        }
    }

    /** Something whole that is not taken: each is told. */
    void refused(String kind, String reason) {
        count(kind);
        LOG.errorf("refused, what was in effect stays: kind=%s, reason=%s", kind, reason);
    }

    Map<String, Long> counts() {
        Map<String, Long> sums = new TreeMap<>();
        counts.forEach((kind, count) -> sums.put(kind, count.sum()));
        return sums;
    }

    private long count(String kind) {
        LongAdder count = counts.computeIfAbsent(kind, k -> new LongAdder());
        count.increment();
        return count.sum();
    }
}
