package io.meridian.config.history;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where in the log a page ended. */
public record ViolationCursor(long lastMicros, int sourcePartition, long sourceOffset) {
    private static final Pattern TEXT = Pattern.compile("([0-9]{1,17}) ([0-9]{1,9}) ([0-9]{1,18})");

    public static Optional<ViolationCursor> parse(String text) {
        Matcher parts = TEXT.matcher(text);
        return parts.matches()
                ? Optional.of(new ViolationCursor(
                        Long.parseLong(parts.group(1)),
                        Integer.parseInt(parts.group(2)),
                        Long.parseLong(parts.group(3))))
                : Optional.empty();
    }

    @Override
    public String toString() {
        return lastMicros + " " + sourcePartition + " " + sourceOffset;
    }
}
