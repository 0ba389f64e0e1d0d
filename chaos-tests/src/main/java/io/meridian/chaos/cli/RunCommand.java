package io.meridian.chaos.cli;

import io.meridian.chaos.drill.file.Drill;
import io.meridian.chaos.drill.run.DrillResult;
import io.meridian.chaos.drill.run.DrillResult.Status;
import io.meridian.chaos.drill.run.DrillRun;
import io.meridian.chaos.drill.world.Target;
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

/** Runs drills, shows each as it goes, judges it and writes its report. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        description =
                "Runs drills, and says whether the limits held. All they do is undone in the end, also after Ctrl-C.")
final class RunCommand implements Callable<Integer> {
    private static final int TIMES_MAX = 1_000;

    @Parameters(
            paramLabel = "NAME|FILE|all",
            arity = "1..*",
            description = "Drills of ./meridian drill list, files of your own, or all that come with the product.")
    private List<String> drills = List.of();

    @Option(
            names = "--times",
            paramLabel = "N",
            defaultValue = "1",
            description = "Run each so many times in a row. Default: ${DEFAULT-VALUE}.")
    private int times;

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            description =
                    "Where the report goes; of several runs each gets a folder in it. Default: drills/ in the state folder.")
    private Optional<Path> out = Optional.empty();

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
            for (Drill found : Drills.findAll(each)) {
                wanted.addAll(Collections.nCopies(times, load.applied(found)));
            }
        }
        Interruption interruption = new Interruption(wanted);
        try (Target target = targets.open(spec.commandLine().getOut())) {
            return run(wanted, target, spec.commandLine().getOut());
        } finally {
            interruption.close();
        }
    }

    private int run(List<Drill> wanted, Target target, PrintWriter terminal) throws Exception {
        Series series = new Series();
        series.run(
                wanted,
                runner(target, terminal, wanted.size() == 1),
                spec.commandLine().getErr());
        series.print(terminal);
        return series.exitCode();
    }

    private Series.Runner runner(Target target, PrintWriter terminal, boolean alone) {
        return new Series.Runner() {
            @Override
            public void require(Drill drill) throws Exception {
                new DrillRun(drill, target, event -> {}).requireFeasible();
            }

            @Override
            public int run(Drill drill) throws Exception {
                return RunCommand.this.run(drill, target, terminal, alone);
            }
        };
    }

    private int run(Drill wanted, Target target, PrintWriter terminal, boolean alone) throws Exception {
        DrillResult result;
        try (Progress progress = new Progress()) {
            DrillRun run = new DrillRun(wanted, target, progress);
            progress.begin(wanted.title(), target.regions(), run.subjects());
            result = run.run();
        }
        // What interrupts the drill does not take away its report, and no other drill follows.
        boolean interrupted = Thread.interrupted() || result.status() == Status.INTERRUPTED;
        try {
            Path report = Places.report(
                    out.orElseGet(Places::drills),
                    wanted.name(),
                    result.history().startedAt());
            return new Judgement(result).write(alone ? out.orElse(report) : report, terminal);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
