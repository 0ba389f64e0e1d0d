package io.meridian.chaos.cli;

import static java.util.stream.Collectors.joining;

import io.meridian.chaos.drill.file.Drill;
import io.meridian.chaos.drill.verdict.Verdict;
import io.meridian.chaos.drill.world.TargetFailure;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Drills that are run one after the other, and how each went. */
final class Series {
    private final Map<String, List<Integer>> codes = new LinkedHashMap<>();

    /** What is done with each drill. */
    interface Runner {
        /** Refuses a drill that cannot be run. */
        void require(Drill drill) throws Exception;

        /** Returns its exit code. */
        int run(Drill drill) throws Exception;
    }

    /**
     * Refuses all of them before the first if one cannot be run. After that one that breaks off is unknown and the others go on:
     * it must not hide what was seen before it. An interruption ends the series.
     */
    void run(List<Drill> wanted, Runner runner, PrintWriter err) throws Exception {
        for (Drill each : wanted) {
            runner.require(each);
        }
        for (Drill each : wanted) {
            add(each.name(), codeOf(each, runner, err));
            if (Thread.currentThread().isInterrupted()) {
                return;
            }
        }
    }

    private static int codeOf(Drill drill, Runner runner, PrintWriter err) {
        try {
            return runner.run(drill);
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            err.println(drill.name() + " broke off: " + (e instanceof TargetFailure ? e.getMessage() : e));
            return Verdict.EXIT_UNKNOWN;
        }
    }

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
