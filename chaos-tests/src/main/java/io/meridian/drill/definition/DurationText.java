package io.meridian.drill.definition;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Text form of a duration in drill files: {@code 300ms}, {@code 5s}, {@code 2m}. */
public final class DurationText {
    private static final Pattern FORM = Pattern.compile("(\\d{1,6})(ms|s|m)");

    /** Bound on any duration in a drill. */
    private static final Duration MAX = Duration.ofHours(1);

    private DurationText() {}

    public static Duration parse(String text) {
        Matcher found = FORM.matcher(text);
        if (!found.matches()) {
            throw new IllegalArgumentException("a duration must be like 300ms, 5s or 2m, got " + text);
        }
        Duration duration = of(Long.parseLong(found.group(1)), found.group(2));
        if (duration.compareTo(MAX) > 0) {
            throw new IllegalArgumentException("a duration must be at most 60m, got " + text);
        }
        return duration;
    }

    private static Duration of(long number, String unit) {
        return switch (unit) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            default -> Duration.ofMinutes(number);
        };
    }

    public static String of(Duration duration) {
        return duration.toMillis() % 1000 == 0 ? duration.toSeconds() + "s" : duration.toMillis() + "ms";
    }
}
