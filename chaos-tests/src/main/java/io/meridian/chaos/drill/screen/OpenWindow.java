package io.meridian.chaos.drill.screen;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;

/** What was admitted so far in the newest window of a limit. */
final class OpenWindow {
    private long endMicros;
    private final Map<String, Long> byRegion = new LinkedHashMap<>();

    /** An answer about an older window changes nothing. */
    void admit(long windowEndMicros, String region, boolean allowed) {
        if (windowEndMicros > endMicros) {
            endMicros = windowEndMicros;
            byRegion.clear();
        }
        if (windowEndMicros == endMicros && allowed) {
            byRegion.merge(region, 1L, Long::sum);
        }
    }

    long total() {
        return byRegion.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The region that used most, empty if none did. */
    String fullest() {
        return byRegion.entrySet().stream()
                .max(Comparator.comparingLong(Map.Entry::getValue))
                .map(Map.Entry::getKey)
                .orElse("");
    }

    long of(String region) {
        return byRegion.getOrDefault(region, 0L);
    }
}
