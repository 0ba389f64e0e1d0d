package io.meridian.drill.console;

import io.meridian.drill.checks.DrillVerdict;
import io.meridian.drill.checks.DrillVerdict.Judged;
import io.meridian.drill.checks.Finding.State;
import io.meridian.drill.console.Terminal.Paint.Tone;
import io.meridian.drill.console.Terminal.StyledLine;
import io.meridian.drill.history.Lateness;
import java.util.ArrayList;
import java.util.List;

/** Verdict as lines of text: a row for each promise, the lateness of the load, and a summary sentence. */
public final class VerdictSummary {
    private static final String INDENT = " ".repeat(12);

    private VerdictSummary() {}

    public static void print(Terminal terminal, DrillVerdict verdict, Lateness.Summary lateness) {
        lines(verdict, lateness, terminal.width())
                .forEach(line -> terminal.out().println(line.show(terminal.width(), terminal.paint())));
        terminal.out().flush();
    }

    static List<StyledLine> lines(DrillVerdict verdict, Lateness.Summary lateness, int width) {
        List<StyledLine> lines = new ArrayList<>();
        for (Judged judged : verdict.findings()) {
            State state = judged.finding().state();
            lines.addAll(row(
                    tone(state), word(state), judged.promise(), judged.finding().description(), width));
        }
        Lateness.Spread load = lateness.judged();
        lines.addAll(row(load.starved() ? Tone.ODD : Tone.SOFT, "load", "lateness", load.description(), width));
        lines.add(StyledLine.of(""));
        wrapped(verdict.sentence(), width - 1)
                .forEach(description -> lines.add(new StyledLine().add(tone(verdict.overall()), description)));
        return lines;
    }

    private static List<StyledLine> row(Tone tone, String label, String name, String text, int width) {
        List<StyledLine> lines = new ArrayList<>();
        lines.add(
                StyledLine.of("  ").add(tone, "%-9s".formatted(label)).add(" ").add(Tone.STRONG, name));
        wrapped(text, width - INDENT.length())
                .forEach(description -> lines.add(StyledLine.of(INDENT).add(Tone.SOFT, description)));
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
