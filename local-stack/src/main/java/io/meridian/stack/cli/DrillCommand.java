package io.meridian.stack.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Unmatched;

/** Runs drills, in a process of its own that understands the arguments by itself. */
@Command(name = "drill", description = "Cuts, kills and slows parts under load, and judges: list, run, report.")
final class DrillCommand implements Callable<Integer> {
    private static final String MAIN = "io.meridian.drill.cli.DrillMain";

    @Unmatched
    private List<String> arguments = new ArrayList<>();

    @Mixin
    private StateOption state = new StateOption();

    @Override
    public Integer call() throws IOException, InterruptedException {
        return ChaosProgram.of(MAIN, List.of("-Xmx512m"), state, arguments).run();
    }
}
