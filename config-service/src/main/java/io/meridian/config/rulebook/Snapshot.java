package io.meridian.config.rulebook;

import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A copy of the rulebook, immutable, for reads while PostgreSQL is away. Kinds with more entries than {@link #ENTRIES_MAX} are
 * not in it.
 *
 * @param revisions which revision changed each kind last
 * @param asOf when it was last known to be true
 */
record Snapshot(
        long revision, Map<Kind, Long> revisions, Map<Kind, NavigableMap<String, Stored>> entries, Instant asOf) {
    /** All policies there may be, and as many of all else. */
    static final int ENTRIES_MAX = 10_000;

    static final Snapshot NONE = new Snapshot(0, Map.of(), Map.of(), Instant.EPOCH);

    boolean has(Kind kind) {
        return entries.containsKey(kind);
    }

    Found find(Kind kind, String id) {
        return new Found(Optional.ofNullable(of(kind).get(id)), Optional.of(asOf));
    }

    Page page(Filter filter, Optional<String> after, int limit) {
        NavigableMap<String, Stored> all = of(filter.kind());
        List<Stored> found = after.map(id -> all.tailMap(id, false)).orElse(all).values().stream()
                .filter(filter::holds)
                .limit(limit + 1L)
                .toList();
        return Page.of(found, limit, Optional.of(asOf));
    }

    private NavigableMap<String, Stored> of(Kind kind) {
        return entries.getOrDefault(kind, new TreeMap<>());
    }

    /** The same with one kind as it is now; with none of it where there is too much. */
    Snapshot with(Kind kind, long kindRevision, List<Stored> stored) {
        Map<Kind, Long> nextRevisions = new EnumMap<>(Kind.class);
        nextRevisions.putAll(revisions);
        nextRevisions.put(kind, kindRevision);
        Map<Kind, NavigableMap<String, Stored>> next = new EnumMap<>(Kind.class);
        next.putAll(entries);
        next.remove(kind);
        if (stored.size() <= ENTRIES_MAX) {
            NavigableMap<String, Stored> byId = new TreeMap<>(Ids.ORDER);
            stored.forEach(each -> byId.put(each.id(), each));
            next.put(kind, byId);
        }
        return new Snapshot(revision, nextRevisions, next, asOf);
    }

    Snapshot confirmed(long currentRevision, Instant now) {
        return new Snapshot(currentRevision, revisions, entries, now);
    }
}
