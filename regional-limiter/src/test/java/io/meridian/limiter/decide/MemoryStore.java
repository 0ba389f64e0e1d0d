package io.meridian.limiter.decide;

import io.meridian.limiter.region.RegionStore;
import io.meridian.limiter.region.RegionUnavailable;
import io.meridian.model.time.TimeSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** What a region's instances share, in memory. */
public final class MemoryStore implements RegionStore {
    public boolean away;
    private final TimeSource time;
    private final Map<String, Entry> entries = new HashMap<>();
    private boolean taken;
    private String last = "";
    private CompletableFuture<Void> held = CompletableFuture.completedFuture(null);

    private record Entry(String value, long untilMicros) {}

    public MemoryStore(TimeSource time) {
        this.time = time;
    }

    /** The next who claims something finds that another has, of whom nothing is heard again. */
    public void claimedByOneThatDies() {
        taken = true;
    }

    /** Who claimed last answers. */
    public void answerLast(String value) {
        entries.put(last, new Entry(value, Long.MAX_VALUE));
    }

    @Override
    public CompletionStage<Optional<String>> putIfAbsent(String key, String value, Duration expiry) {
        if (away) {
            return CompletableFuture.failedFuture(new RegionUnavailable("away"));
        }
        if (taken) {
            taken = false;
            put(key, value, expiry);
        }
        return held.thenApply(now -> {
            Optional<String> there = find(key);
            if (there.isEmpty()) {
                put(key, value, expiry);
            }
            return there;
        });
    }

    /** Claims are answered only when {@link #letGo} is called. */
    public void holdBack() {
        held = new CompletableFuture<>();
    }

    public void letGo() {
        held.complete(null);
    }

    @Override
    public CompletionStage<Void> put(String key, String value, Duration expiry) {
        if (away) {
            return CompletableFuture.failedFuture(new RegionUnavailable("away"));
        }
        last = key;
        entries.put(key, new Entry(value, time.wallMicros() + expiry.toNanos() / 1_000));
        return CompletableFuture.completedFuture(null);
    }

    private Optional<String> find(String key) {
        return Optional.ofNullable(entries.get(key))
                .filter(entry -> entry.untilMicros > time.wallMicros())
                .map(Entry::value);
    }

    @Override
    public CompletionStage<Optional<String>> get(String key) {
        if (away) {
            return CompletableFuture.failedFuture(new RegionUnavailable("away"));
        }
        return CompletableFuture.completedFuture(find(key));
    }

    @Override
    public CompletionStage<Optional<String>> take(String key) {
        Optional<String> there = find(key);
        entries.remove(key);
        return CompletableFuture.completedFuture(there);
    }

    @Override
    public CompletionStage<Void> putDue(String key, String value, long dueMicros, Duration expiry) {
        throw new UnsupportedOperationException("nobody asks");
    }

    @Override
    public CompletionStage<List<String>> due(long nowMicros, int max) {
        throw new UnsupportedOperationException("nobody asks");
    }

    @Override
    public CompletionStage<Void> forgetDue(String key) {
        throw new UnsupportedOperationException("nobody asks");
    }
}
