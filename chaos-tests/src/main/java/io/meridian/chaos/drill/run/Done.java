package io.meridian.chaos.drill.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.meridian.chaos.drill.file.Activity;
import java.time.Instant;
import java.util.Optional;

/**
 * An activity as it went.
 *
 * @param output what it found, or why it failed
 * @param toleranceMet of a probe that has one
 */
public record Done(
        Activity activity,
        Instant startedAt,
        Instant endedAt,
        boolean succeeded,
        JsonNode output,
        Optional<Boolean> toleranceMet) {
    private static final int SAID_LENGTH_MAX = 1_000;

    /** What it found, or why it failed, in words for a reader. */
    public String said() {
        String said = output.isTextual() ? output.asText() : output.toString();
        return said.length() > SAID_LENGTH_MAX ? said.substring(0, SAID_LENGTH_MAX) : said;
    }

    /** Whether it went as wanted: it was done, and a probe found what it may. */
    public boolean isFine() {
        return succeeded && toleranceMet.orElse(true);
    }
}
