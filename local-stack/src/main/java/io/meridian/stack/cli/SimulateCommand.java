package io.meridian.stack.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Unmatched;

/** Runs the simulation, in a process of its own that understands the arguments by itself. */
@Command(name = "simulate", description = "Runs the whole protocol in virtual time, from seeds, and checks it.")
final class SimulateCommand implements Callable<Integer> {
    private static final String MAIN = "io.meridian.simulation.SimulateMain";

    @Unmatched
    private List<String> arguments = new ArrayList<>();

    @Mixin
    private StateOption state = new StateOption();

    @Override
    public Integer call() throws IOException, InterruptedException {
        return ChaosProgram.of(MAIN, List.of("-Xmx2g", "-XX:+UseParallelGC"), state, arguments)
                .run();
    }
}
