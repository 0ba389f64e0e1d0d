package io.meridian.chaos.drill.screen;

import java.io.PrintStream;
import java.util.Map;

/**
 * Where a drill is shown.
 *
 * @param live whether lines may be painted over and coloured; else they are plain and follow each other
 * @param width columns
 */
public record Terminal(PrintStream out, boolean live, int width) {
    private static final int WIDTH_MIN = 40;
    private static final int WIDTH_MAX = 200;
    private static final int WIDTH_USUAL = 80;

    public Terminal {
        if (width < WIDTH_MIN || width > WIDTH_MAX) {
            throw new IllegalArgumentException(
                    "width must be from " + WIDTH_MIN + " to " + WIDTH_MAX + ", got " + width);
        }
    }

    /** By the environment: {@code NO_COLOR} and a {@code TERM} of {@code dumb} ask for plain lines, {@code COLUMNS} tells the width. */
    public static Terminal of(PrintStream out, boolean isTerminal, Map<String, String> environment) {
        boolean plain = !environment.getOrDefault("NO_COLOR", "").isEmpty()
                || environment.getOrDefault("TERM", "dumb").equals("dumb");
        return new Terminal(out, isTerminal && !plain, width(environment.getOrDefault("COLUMNS", "")));
    }

    Paint paint() {
        return live ? Paint.COLOURED : Paint.PLAIN;
    }

    private static int width(String columns) {
        try {
            return Math.max(WIDTH_MIN, Math.min(WIDTH_MAX, Integer.parseInt(columns.strip())));
        } catch (NumberFormatException notTold) {
            return WIDTH_USUAL;
        }
    }
}
