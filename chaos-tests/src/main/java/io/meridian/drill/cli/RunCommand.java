package io.meridian.drill.cli;

import io.meridian.drill.console.LiveScreen;
import io.meridian.drill.console.Terminal;
import io.meridian.drill.definition.Drill;
import io.meridian.drill.definition.DrillFile;
import io.meridian.drill.definition.DurationText;
import io.meridian.drill.definition.LoadPlan;
import io.meridian.drill.report.DrillPublication;
import io.meridian.drill.runner.DrillResult;
import io.meridian.drill.runner.DrillResult.Status;
import io.meridian.drill.runner.DrillRun;
import io.meridian.drill.targets.DeploymentTarget;
import io.meridian.drill.targets.DrillTarget;
import io.meridian.drill.targets.LocalTarget;
import io.meridian.drill.targets.OwnStack;
import io.meridian.model.time.TimeSource;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Command {@code meridian drill run}: runs drills with live progress, judges them and writes their reports. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        description =
                "Runs drills, and prints whether the limits held. All faults are undone in the end, also after Ctrl-C.")
final class RunCommand implements Callable<Integer> {
    private static final int TIMES_MAX = 1_000;

    @Parameters(
            paramLabel = "NAME|FILE|all",
            arity = "1..*",
            description = "Drills of ./meridian drill list, files of your own, or all built-in drills.")
    private List<String> drills = List.of();

    @Option(
            names = "--times",
            paramLabel = "N",
            defaultValue = "1",
            description = "Number of runs of each, in a row. Default: ${DEFAULT-VALUE}.")
    private int times;

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            description =
                    "Folder of the report; of several runs each has a folder in it. Default: drills/ in the state folder.")
    private Optional<Path> out = Optional.empty();

    @Option(
            names = "--no-publish",
            negatable = true,
            description =
                    "Do not publish verdict, journal and page to the config service. Default: they are published.")
    private boolean publish = true;

    @Mixin
    private TargetOptions targets = new TargetOptions();

    @Mixin
    private LoadOptions load = new LoadOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        if (times < 1 || times > TIMES_MAX) {
            throw new IllegalArgumentException("--times must be from 1 to " + TIMES_MAX + ", got " + times);
        }
        List<Drill> wanted = new ArrayList<>();
        for (String each : drills) {
            for (Drill found : DrillFile.findAll(each)) {
                wanted.addAll(Collections.nCopies(times, load.applyTo(found)));
            }
        }
        InterruptHandler interrupts = new InterruptHandler(wanted);
        try (DrillTarget target = targets.open(spec.commandLine().getOut())) {
            return run(wanted, target, spec.commandLine().getOut());
        } finally {
            interrupts.close();
        }
    }

    private int run(List<Drill> wanted, DrillTarget target, PrintWriter terminal) throws Exception {
        DrillSeries series = new DrillSeries();
        series.run(
                wanted,
                runner(target, terminal, wanted.size() == 1),
                spec.commandLine().getErr());
        series.print(terminal);
        return series.exitCode();
    }

    private DrillSeries.Runner runner(DrillTarget target, PrintWriter terminal, boolean alone) {
        return new DrillSeries.Runner() {
            @Override
            public void require(Drill drill) throws Exception {
                new DrillRun(drill, target).requireFeasible();
            }

            @Override
            public int run(Drill drill) throws Exception {
                return RunCommand.this.run(drill, target, terminal, alone);
            }
        };
    }

    private int run(Drill wanted, DrillTarget target, PrintWriter terminal, boolean alone) throws Exception {
        DrillResult result;
        DrillRun run = new DrillRun(wanted, target);
        try (LiveScreen screen = new LiveScreen(
                Terminal.system(), wanted.title(), target.regions(), run.subjects(), TimeSource.system())) {
            result = run.run(screen.start());
        }
        // An interrupted drill still writes its report, and no other drill follows.
        boolean interrupted = Thread.interrupted() || result.status() == Status.INTERRUPTED;
        try {
            Path report = DrillFolders.report(
                    out.orElseGet(DrillFolders::drills),
                    wanted.name(),
                    result.history().startedAt());
            Path folder = alone ? out.orElse(report) : report;
            int code = DrillJudge.write(result, folder, terminal);
            if (publish) {
                publish(target, folder, terminal);
            }
            return code;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The verdict does not depend on it: a report that is not published is still in its folder. */
    static void publish(DrillTarget target, Path folder, PrintWriter terminal) throws InterruptedException {
        if (target.publisher().isEmpty()) {
            return;
        }
        try {
            String page = target.publisher().get().publish(DrillPublication.of(folder, target.name()));
            terminal.println("Published: " + page);
        } catch (IOException refused) {
            terminal.println("Not published: " + refused.getMessage());
        }
    }

    /** Options that override the load plan of a drill. */
    static final class LoadOptions {
        @Option(
                names = "--window",
                paramLabel = "5s",
                description = "Window of the limits, which scale with it; rates stay the same.")
        private Optional<String> window = Optional.empty();

        @Option(names = "--control", paramLabel = "N", description = "Windows before the fault.")
        private Optional<Integer> control = Optional.empty();

        @Option(names = "--fault", paramLabel = "N", description = "Windows of the fault, at least.")
        private Optional<Integer> fault = Optional.empty();

        @Option(names = "--recovery", paramLabel = "N", description = "Windows after the recovery.")
        private Optional<Integer> recovery = Optional.empty();

        Drill applyTo(Drill drill) {
            LoadPlan plan = window.map(text -> drill.load().withWindow(DurationText.parse(text)))
                    .orElse(drill.load());
            return drill.withLoad(plan.withWindows(
                    control.orElse(plan.controlWindows()),
                    fault.orElse(plan.faultWindows()),
                    recovery.orElse(plan.recoveryWindows())));
        }
    }

    /** Options that choose the target of a drill, by default the running stack. */
    static final class TargetOptions {
        @Option(names = "--own", description = "Start a stack for this drill, and take it down in the end.")
        private boolean own;

        @Option(
                names = "--target",
                paramLabel = "FILE",
                description = "Run against the deployment that this file describes.")
        private Optional<Path> deployment = Optional.empty();

        DrillTarget open(PrintWriter out) throws Exception {
            if (own && deployment.isPresent()) {
                throw new IllegalArgumentException("--own and --target cannot both be given");
            }
            if (deployment.isPresent()) {
                return DeploymentTarget.of(deployment.get());
            }
            if (own) {
                out.println("Starting a stack for this drill; that takes a minute.");
                return LocalTarget.own(OwnStack.start(DrillFolders.home()));
            }
            return LocalTarget.of(DrillFolders.state());
        }
    }
}
