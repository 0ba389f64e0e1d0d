package io.meridian.drill.cli;

import io.meridian.drill.checks.DrillVerdict.Judged;
import io.meridian.drill.definition.Drill;
import io.meridian.drill.definition.DrillFile;
import io.meridian.drill.definition.DurationText;
import io.meridian.drill.definition.LoadPlan;
import io.meridian.drill.history.DrillHistory;
import io.meridian.drill.history.Event.Checked;
import io.meridian.drill.history.Event.Phase;
import io.meridian.drill.history.Subject;
import io.meridian.drill.history.SubjectWindows;
import io.meridian.drill.history.SubjectWindows.ObservedWindow;
import io.meridian.drill.history.Timeline;
import io.meridian.drill.runner.DrillResult;
import io.meridian.drill.runner.DrillRun;
import io.meridian.drill.targets.DrillTarget;
import io.meridian.drill.targets.LocalTarget;
import io.meridian.drill.targets.OwnStack;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Command {@code meridian bench global}: overshoot, flag delay, utilization and takeover time of global limits on real processes. It runs the
 * drill {@code kill-leader} on a stack of its own. The windows before the fault give the first three figures, the fault the last.
 */
@Command(
        name = "bench global",
        mixinStandardHelpOptions = true,
        description = "Measures global limits on a stack of its own.")
public final class GlobalLimitsBench implements Callable<Integer> {
    private static final String DRILL = "kill-leader";

    @Option(
            names = "--window",
            paramLabel = "60s",
            defaultValue = "10s",
            description = "Window of the limits, which scale with it; rates stay the same. Default: ${DEFAULT-VALUE}.")
    private String window = "10s";

    @Option(
            names = "--windows",
            paramLabel = "N",
            defaultValue = "3",
            description = "Windows measured before the leader is killed. Default: ${DEFAULT-VALUE}.")
    private int windows;

    @Option(names = "--short", description = "Smoke test of seconds, whose figures mean nothing.")
    private boolean brief;

    private final PrintStream out = System.out;

    public static void main(String[] args) {
        System.exit(new CommandLine(new GlobalLimitsBench()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        Drill drill = DrillFile.builtIn(DRILL);
        LoadPlan load = drill.load()
                .withWindow(DurationText.parse(brief ? "5s" : window))
                .withWindows(brief ? 1 : windows, 1, 1);
        out.println("Starting a stack of five regions with two limiters each.");
        try (DrillTarget target = LocalTarget.own(OwnStack.start(DrillFolders.home()))) {
            DrillResult result = new DrillRun(drill.withLoad(load), target).run(event -> {});
            print(result);
            return result.reason().isEmpty() ? 0 : 1;
        }
    }

    private void print(DrillResult result) {
        if (!result.reason().isEmpty()) {
            out.println("The run did not complete: " + result.reason());
        }
        DrillHistory history = result.history();
        for (Subject subject : history.subjects()) {
            ControlFigures figures = ControlFigures.of(history, subject);
            switch (subject.sharing()) {
                case CONVERGE ->
                    out.printf(
                            "converge  admitted %s of %d a window: overshoot %.2f %% at most; flag delay p50 %d ms, p99 %d ms,"
                                    + " max %d ms (goal 300 ms)%n",
                            figures.admitted(),
                            subject.limit(),
                            figures.overshootPercent(),
                            figures.flagDelayMillis(0.5),
                            figures.flagDelayMillis(0.99),
                            figures.flagDelayMillis(1));
                case ESCROW ->
                    out.printf(
                            "escrow    admitted %s of %d a window: overshoot %.2f %% (goal 0), used %.2f %% at least (goal"
                                    + " 99.9 %%)%n",
                            figures.admitted(), subject.limit(), figures.overshootPercent(), figures.usedPercent());
                case REGIONAL -> {
                    // No figures: each region counts it by itself, and the drill judges it.
                }
            }
        }
        for (Judged judged : DrillJudge.verdict(result).findings()) {
            out.printf(
                    "%-8s  %s: %s%n",
                    judged.finding().state().name().toLowerCase(Locale.ROOT),
                    judged.promise(),
                    judged.finding().description());
        }
    }

    /**
     * Figures of one limit over the whole windows before a drill's fault. A limit L is crossed when the client received the L-th allowed
     * answer, from any region. A region's flag delay is the time from then to the latest sending of a check that it still allowed; 0 if there
     * is none, because checks that were sent before could not be denied.
     *
     * @param admitted by window
     * @param flagDelaysNanos of each region and window in which the limit was crossed, sorted
     */
    record ControlFigures(Subject subject, List<Long> admitted, List<Long> flagDelaysNanos) {
        private static final long SLACK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

        public ControlFigures {
            admitted = List.copyOf(admitted);
            flagDelaysNanos = flagDelaysNanos.stream().sorted().toList();
        }

        public static ControlFigures of(DrillHistory history, Subject subject) {
            Timeline timeline = new Timeline(history);
            List<Long> admitted = new ArrayList<>();
            List<Long> delays = new ArrayList<>();
            for (ObservedWindow window : new SubjectWindows(history, timeline, subject).all()) {
                boolean undisturbed = timeline.phases().stream()
                        .filter(span -> span.phase() == Phase.CONTROL)
                        .anyMatch(span -> span.covers(window.startNanos(), window.endNanos(), SLACK_NANOS));
                if (undisturbed) {
                    admitted.add(window.admitted());
                    addDelays(window.allowed(), subject.limit(), history.regions(), delays);
                }
            }
            return new ControlFigures(subject, admitted, delays);
        }

        private static void addDelays(List<Checked> allowed, long limit, List<String> regions, List<Long> delays) {
            if (allowed.size() < limit) {
                return;
            }
            long crossedNanos = allowed.get((int) limit - 1).answeredNanos();
            for (String region : regions) {
                delays.add(allowed.stream()
                        .filter(checked -> checked.region().equals(region))
                        .mapToLong(checked -> Math.max(0, checked.atNanos() - crossedNanos))
                        .max()
                        .orElse(0));
            }
        }

        /** Excess of the worst window over the limit, in percent of it. */
        public double overshootPercent() {
            return admitted.stream()
                    .mapToDouble(each -> 100.0 * Math.max(0, each - subject.limit()) / subject.limit())
                    .max()
                    .orElse(0);
        }

        /** Used share of the limit in the emptiest window, in percent. */
        public double usedPercent() {
            return admitted.stream()
                    .mapToDouble(each -> 100.0 * each / subject.limit())
                    .min()
                    .orElse(0);
        }

        /** Quantile of the flag delays; 0 if there are none. */
        public long flagDelayMillis(double quantile) {
            int rank = Math.max(1, (int) Math.ceil(quantile * flagDelaysNanos.size()));
            return flagDelaysNanos.isEmpty() ? 0 : TimeUnit.NANOSECONDS.toMillis(flagDelaysNanos.get(rank - 1));
        }
    }
}
