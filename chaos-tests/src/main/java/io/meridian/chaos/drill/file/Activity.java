package io.meridian.chaos.drill.file;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Optional;

/**
 * One thing that a drill does, or looks at.
 *
 * @param background whether the next one begins without waiting for it
 * @param source as the file has it, for the journal
 */
public record Activity(
        Kind kind,
        String name,
        Provider provider,
        Duration pauseBefore,
        Duration pauseAfter,
        boolean background,
        Optional<Tolerance> tolerance,
        JsonNode source) {
    /** Whether it changes the world. */
    public enum Kind {
        ACTION("action"),
        PROBE("probe");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }
}
