package io.meridian.drill.cli;

import static java.util.stream.Collectors.joining;

import io.meridian.drill.checks.DrillVerdict;
import io.meridian.drill.definition.Drill;
import io.meridian.drill.targets.DrillTarget.TargetException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Series of drill runs, and the exit code of each. */
final class DrillSeries {
    private final Map<String, List<Integer>> codes = new LinkedHashMap<>();

    /** Runner of one drill. */
    interface Runner {
        /** Refuses a drill that cannot run. */
        void require(Drill drill) throws Exception;

        /** Returns its exit code. */
        int run(Drill drill) throws Exception;
    }

    /**
     * Runs the drills in order. If one cannot run, all are refused before the first. After that a drill that fails unexpectedly is unknown, and
     * the others still run, so that it hides no other result. An interruption ends the series.
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
            err.println(drill.name() + " failed: " + (e instanceof TargetException ? e.getMessage() : e));
            return DrillVerdict.EXIT_UNKNOWN;
        }
    }

    void add(String drill, int exitCode) {
        codes.computeIfAbsent(drill, absent -> new ArrayList<>()).add(exitCode);
    }

    /** Prints a row for each drill, if there was more than one run. */
    void print(PrintWriter out) {
        long runs = codes.values().stream().mapToLong(List::size).sum();
        if (runs < 2) {
            return;
        }
        out.println();
        codes.forEach((drill, each) -> out.printf(
                "%-16s  %s%n", drill, each.stream().map(DrillSeries::word).collect(joining(", "))));
        out.printf("%d of %d runs kept every promise.%n", count(DrillVerdict.EXIT_VALID), runs);
    }

    /** Exit code of the series: violated if one run is, else unknown if one is or there were none. */
    int exitCode() {
        if (count(DrillVerdict.EXIT_VIOLATED) > 0) {
            return DrillVerdict.EXIT_VIOLATED;
        }
        return codes.isEmpty() || count(DrillVerdict.EXIT_UNKNOWN) > 0
                ? DrillVerdict.EXIT_UNKNOWN
                : DrillVerdict.EXIT_VALID;
    }

    private long count(int code) {
        return codes.values().stream()
                .flatMap(List::stream)
                .filter(each -> each == code)
                .count();
    }

    private static String word(int code) {
        return switch (code) {
            case DrillVerdict.EXIT_VALID -> "held";
            case DrillVerdict.EXIT_VIOLATED -> "BROKEN";
            default -> "unknown";
        };
    }
}
