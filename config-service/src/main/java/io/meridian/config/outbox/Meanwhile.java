package io.meridian.config.outbox;

import io.meridian.model.rules.RuleEntry;
import io.meridian.model.wire.EntryCodec;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Which entries were published while the topic was held against the database; beyond a bound it takes all of them for such. */
final class Meanwhile {
    static final int KEYS_MAX = 100_000;

    private final Set<String> keys = new HashSet<>();

    void add(List<Pending> published) {
        if (keys.size() < KEYS_MAX) {
            published.forEach(each -> keys.add(each.key()));
        }
    }

    /** Whether it takes all entries for published: then nothing is known of any. */
    boolean isFull() {
        return keys.size() >= KEYS_MAX;
    }

    boolean holds(RuleEntry.Key key) {
        return isFull() || keys.contains(EntryCodec.key(key));
    }
}
