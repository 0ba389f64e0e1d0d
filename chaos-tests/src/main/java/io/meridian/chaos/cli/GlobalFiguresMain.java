package io.meridian.chaos.cli;

import io.meridian.chaos.drill.file.BuiltInDrills;
import io.meridian.chaos.drill.file.Drill;
import io.meridian.chaos.drill.file.DurationText;
import io.meridian.chaos.drill.file.LoadPlan;
import io.meridian.chaos.drill.history.History;
import io.meridian.chaos.drill.history.Subject;
import io.meridian.chaos.drill.run.DrillResult;
import io.meridian.chaos.drill.run.DrillRun;
import io.meridian.chaos.drill.verdict.ControlFigures;
import io.meridian.chaos.drill.verdict.Judged;
import io.meridian.chaos.drill.world.OwnStack;
import io.meridian.chaos.drill.world.OwnTarget;
import io.meridian.chaos.drill.world.Target;
import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code meridian bench global}: overshoot, flag delay, utilisation and takeover time of global limits on real processes. It runs the
 * drill {@code kill-leader} on a stack of its own: the windows before the fault give the first three figures, the fault the last.
 */
@Command(
        name = "bench global",
        mixinStandardHelpOptions = true,
        description = "Measures global limits on a stack of its own.")
public final class GlobalFiguresMain implements Callable<Integer> {
    private static final String DRILL = "kill-leader";

    @Option(
            names = "--window",
            paramLabel = "60s",
            defaultValue = "10s",
            description = "The window of the limits; they grow with it, rates stay. Default: ${DEFAULT-VALUE}.")
    private String window = "10s";

    @Option(
            names = "--windows",
            paramLabel = "N",
            defaultValue = "3",
            description = "Windows to measure before the leader is killed. Default: ${DEFAULT-VALUE}.")
    private int windows;

    @Option(names = "--short", description = "Only shows that it runs: in seconds, and the figures mean nothing.")
    private boolean brief;

    private final PrintStream out = System.out;

    public static void main(String[] args) {
        System.exit(new CommandLine(new GlobalFiguresMain()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        Drill drill = BuiltInDrills.read(DRILL);
        LoadPlan load = drill.load()
                .withWindow(DurationText.parse(brief ? "5s" : window))
                .withWindows(brief ? 1 : windows, 1, 1);
        out.println("Starting a stack of five regions with two limiters each.");
        try (Target target = OwnTarget.of(OwnStack.start(Places.home()))) {
            DrillResult result = new DrillRun(drill.withLoad(load), target, event -> {}).run();
            print(result);
            return result.reason().isEmpty() ? 0 : 1;
        }
    }

    private void print(DrillResult result) {
        if (!result.reason().isEmpty()) {
            out.println("The run did not complete: " + result.reason());
        }
        History history = result.history();
        for (Subject subject : history.subjects()) {
            ControlFigures figures = ControlFigures.of(history, subject);
            switch (subject.sharing()) {
                case CONVERGE ->
                    out.printf(
                            "converge  admitted %s of %d a window: overshoot %.2f %% at most; flag delay p50 %d ms, p99 %d ms,"
                                    + " max %d ms (wanted 300 ms)%n",
                            figures.admitted(),
                            subject.limit(),
                            figures.overshootPercent(),
                            figures.flagDelayMillis(0.5),
                            figures.flagDelayMillis(0.99),
                            figures.flagDelayMillis(1));
                case ESCROW ->
                    out.printf(
                            "escrow    admitted %s of %d a window: overshoot %.2f %% (wanted 0), used %.2f %% at least (wanted"
                                    + " 99.9 %%)%n",
                            figures.admitted(), subject.limit(), figures.overshootPercent(), figures.usedPercent());
                case REGIONAL -> {
                    // Counted by each region alone; the drill judges it.
                }
            }
        }
        for (Judged judged : new Judgement(result).verdict().findings()) {
            out.printf(
                    "%-8s  %s: %s%n",
                    judged.finding().state().name().toLowerCase(Locale.ROOT),
                    judged.promise(),
                    judged.finding().words());
        }
    }
}
