package io.meridian.chaos.cli;

import static java.util.stream.Collectors.joining;

import io.meridian.chaos.drill.verdict.Verdict;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Drills that are run one after the other, and how each went. */
final class Series {
    private final Map<String, List<Integer>> codes = new LinkedHashMap<>();

    void add(String drill, int exitCode) {
        codes.computeIfAbsent(drill, absent -> new ArrayList<>()).add(exitCode);
    }

    /** A row for each drill, if there was more than one run; a single one's verdict stands for itself. */
    void print(PrintWriter out) {
        long runs = codes.values().stream().mapToLong(List::size).sum();
        if (runs < 2) {
            return;
        }
        out.println();
        codes.forEach((drill, each) ->
                out.printf("%-16s  %s%n", drill, each.stream().map(Series::word).collect(joining(", "))));
        out.printf("%d of %d runs kept every promise.%n", count(Verdict.EXIT_VALID), runs);
    }

    /** One broken promise breaks the whole, and one unknown leaves it unknown; of nothing nothing is known. */
    int exitCode() {
        if (count(Verdict.EXIT_VIOLATED) > 0) {
            return Verdict.EXIT_VIOLATED;
        }
        return codes.isEmpty() || count(Verdict.EXIT_UNKNOWN) > 0 ? Verdict.EXIT_UNKNOWN : Verdict.EXIT_VALID;
    }

    private long count(int code) {
        return codes.values().stream()
                .flatMap(List::stream)
                .filter(each -> each == code)
                .count();
    }

    private static String word(int code) {
        return switch (code) {
            case Verdict.EXIT_VALID -> "held";
            case Verdict.EXIT_VIOLATED -> "BROKEN";
            default -> "unknown";
        };
    }
}
