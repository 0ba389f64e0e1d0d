package io.meridian.chaos.drill.file;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How a drill spells a length of time: {@code 300ms}, {@code 5s}, {@code 2m}. */
public final class DurationText {
    private static final Pattern FORM = Pattern.compile("(\\d{1,6})(ms|s|m)");

    private DurationText() {}

    public static Duration parse(String text) {
        Matcher found = FORM.matcher(text);
        if (!found.matches()) {
            throw new IllegalArgumentException("a length of time must be like 300ms, 5s or 2m, got " + text);
        }
        long number = Long.parseLong(found.group(1));
        return switch (found.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            default -> Duration.ofMinutes(number);
        };
    }

    public static String of(Duration duration) {
        return duration.toMillis() % 1000 == 0 ? duration.toSeconds() + "s" : duration.toMillis() + "ms";
    }
}
