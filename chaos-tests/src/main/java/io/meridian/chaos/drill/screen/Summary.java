package io.meridian.chaos.drill.screen;

import io.meridian.chaos.drill.screen.Paint.Tone;
import io.meridian.chaos.drill.verdict.Judged;
import io.meridian.chaos.drill.verdict.Lateness;
import io.meridian.chaos.drill.verdict.State;
import io.meridian.chaos.drill.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;

/** A verdict in lines: a row for each promise, how late the load was sent, then the sentence. */
public final class Summary {
    private static final String INDENT = " ".repeat(12);

    private Summary() {}

    public static void print(Terminal terminal, Verdict verdict, Lateness.Summary lateness) {
        lines(verdict, lateness, terminal.width())
                .forEach(line -> terminal.out().println(line.show(terminal.width(), terminal.paint())));
        terminal.out().flush();
    }

    static List<Line> lines(Verdict verdict, Lateness.Summary lateness, int width) {
        List<Line> lines = new ArrayList<>();
        for (Judged judged : verdict.findings()) {
            State state = judged.finding().state();
            lines.addAll(row(
                    tone(state), word(state), judged.promise(), judged.finding().words(), width));
        }
        Lateness.Spread load = lateness.judged();
        lines.addAll(row(load.starved() ? Tone.ODD : Tone.SOFT, "load", "lateness", load.words(), width));
        lines.add(Line.of(""));
        wrapped(verdict.sentence(), width - 1)
                .forEach(words -> lines.add(new Line().add(tone(verdict.overall()), words)));
        return lines;
    }

    private static List<Line> row(Tone tone, String label, String name, String text, int width) {
        List<Line> lines = new ArrayList<>();
        lines.add(Line.of("  ").add(tone, "%-9s".formatted(label)).add(" ").add(Tone.STRONG, name));
        wrapped(text, width - INDENT.length())
                .forEach(words -> lines.add(Line.of(INDENT).add(Tone.SOFT, words)));
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
