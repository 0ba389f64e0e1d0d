package io.meridian.config.outbox;

import io.meridian.config.outbox.Outbox.Pending;
import io.meridian.model.rulebook.EntryKey;
import io.meridian.model.wire.EntryCodec;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Bounded set of the entries published since a reconciliation began; when it is full every entry counts as published. */
final class PublishedSince {
    static final int KEYS_MAX = 100_000;

    private final Set<String> keys = new HashSet<>();

    void add(List<Pending> published) {
        if (keys.size() < KEYS_MAX) {
            published.forEach(each -> keys.add(each.key()));
        }
    }

    boolean isFull() {
        return keys.size() >= KEYS_MAX;
    }

    boolean contains(EntryKey key) {
        return isFull() || keys.contains(EntryCodec.key(key));
    }
}
