package io.meridian.chaos.drill.report;

import io.meridian.chaos.drill.verdict.Lateness;
import io.meridian.chaos.drill.verdict.Verdict;
import java.nio.file.Path;
import java.time.Instant;

/**
 * A report that was written earlier.
 *
 * @param page to be opened in a browser
 */
public record Saved(
        String drill,
        String title,
        Instant startedAt,
        double seconds,
        Verdict verdict,
        Lateness.Summary lateness,
        Path page) {}
