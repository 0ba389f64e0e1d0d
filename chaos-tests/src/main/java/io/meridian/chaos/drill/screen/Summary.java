package io.meridian.chaos.drill.screen;

import io.meridian.chaos.drill.screen.Paint.Tone;
import io.meridian.chaos.drill.verdict.Judged;
import io.meridian.chaos.drill.verdict.State;
import io.meridian.chaos.drill.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;

/** A verdict in lines: a row for each promise, then the sentence. */
public final class Summary {
    private static final String INDENT = " ".repeat(12);

    private Summary() {}

    public static void print(Terminal terminal, Verdict verdict) {
        lines(verdict, terminal.width())
                .forEach(line -> terminal.out().println(line.show(terminal.width(), terminal.paint())));
        terminal.out().flush();
    }

    static List<Line> lines(Verdict verdict, int width) {
        List<Line> lines = new ArrayList<>();
        for (Judged judged : verdict.findings()) {
            State state = judged.finding().state();
            lines.add(Line.of("  ")
                    .add(tone(state), "%-9s".formatted(word(state)))
                    .add(" ")
                    .add(Tone.STRONG, judged.promise()));
            wrapped(judged.finding().words(), width - INDENT.length())
                    .forEach(words -> lines.add(Line.of(INDENT).add(Tone.SOFT, words)));
        }
        lines.add(Line.of(""));
        wrapped(verdict.sentence(), width - 1)
                .forEach(words -> lines.add(new Line().add(tone(verdict.overall()), words)));
        return lines;
    }

    private static List<String> wrapped(String text, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (line.length() > 0 && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.length() == 0 ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    private static String word(State state) {
        return switch (state) {
            case VALID -> "held";
            case VIOLATED -> "BROKEN";
            case UNKNOWN -> "unknown";
        };
    }

    private static Tone tone(State state) {
        return switch (state) {
            case VALID -> Tone.GOOD;
            case VIOLATED -> Tone.BAD;
            case UNKNOWN -> Tone.ODD;
        };
    }
}
