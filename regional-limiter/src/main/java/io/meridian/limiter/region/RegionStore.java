package io.meridian.limiter.region;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Port to small records that all instances of a region share and that expire by themselves. Completes like {@link RegionCounters}:
 * within the time budget, or fails with {@link RegionUnavailable}.
 */
public interface RegionStore {
    /** Stores it if there is none yet; else what is there. */
    CompletionStage<Optional<String>> putIfAbsent(String key, String value, Duration expiry);

    CompletionStage<Void> put(String key, String value, Duration expiry);

    CompletionStage<Optional<String>> get(String key);

    /** Takes it out: of several takers one gets it. */
    CompletionStage<Optional<String>> take(String key);

    /** Stores it, and has it found by {@link #due} from {@code dueMicros} on until it is taken. */
    CompletionStage<Void> putDue(String key, String value, long dueMicros, Duration expiry);

    /** Up to {@code max} keys that are due. */
    CompletionStage<List<String>> due(long nowMicros, int max);

    /** No longer due, whether it was taken or not. */
    CompletionStage<Void> forgetDue(String key);
}
