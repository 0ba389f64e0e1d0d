package io.meridian.drill.console;

import java.io.Console;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Terminal that a drill is displayed on.
 *
 * @param live whether lines may be repainted and coloured; else output is plain and appended
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

    /** The terminal of this process. */
    public static Terminal system() {
        return of(System.out, isTerminal(), System.getenv());
    }

    /** From JDK 22 on there is always a console, which then knows whether it is a terminal. */
    @SuppressWarnings("SystemConsoleNull")
    private static boolean isTerminal() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            return Boolean.TRUE.equals(Console.class.getMethod("isTerminal").invoke(console));
        } catch (ReflectiveOperationException beforeJdk22) {
            return true;
        }
    }

    /** By the environment: {@code NO_COLOR} and a {@code TERM} of {@code dumb} select plain output, {@code COLUMNS} is the width. */
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

    /** Line of text pieces, each in its tone, cut off at the terminal's edge because a wrapped line would break repainting. */
    static final class StyledLine {
        private record Piece(Paint.Tone tone, String text) {}

        private final List<Piece> pieces = new ArrayList<>();

        static StyledLine of(String text) {
            return new StyledLine().add(Paint.Tone.USUAL, text);
        }

        /** Adds text with control characters replaced by question marks, because names come from files. */
        StyledLine add(Paint.Tone tone, String text) {
            pieces.add(new Piece(tone, text.replaceAll("\\p{Cntrl}", "?")));
            return this;
        }

        StyledLine add(String text) {
            return add(Paint.Tone.USUAL, text);
        }

        String show(int width, Paint paint) {
            StringBuilder shown = new StringBuilder();
            int room = width;
            for (Piece piece : pieces) {
                if (piece.text().length() > room) {
                    String cut = room == 0 ? "" : piece.text().substring(0, room - 1) + "…";
                    return shown.append(paint.of(piece.tone(), cut)).toString();
                }
                shown.append(paint.of(piece.tone(), piece.text()));
                room -= piece.text().length();
            }
            return shown.toString();
        }
    }

    /** Colouring of lines. Colours only repeat what the text states. */
    enum Paint {
        PLAIN,
        COLOURED;

        private static final String ESCAPE = "\u001b[";

        /** Tone of a piece of text. */
        enum Tone {
            USUAL(""),
            STRONG("1"),
            SOFT("2"),
            GOOD("32"),
            BAD("31;1"),
            ODD("33");

            private final String code;

            Tone(String code) {
                this.code = code;
            }
        }

        String of(Paint.Tone tone, String text) {
            return this == PLAIN || tone == Paint.Tone.USUAL ? text : ESCAPE + tone.code + "m" + text + ESCAPE + "0m";
        }
    }
}
