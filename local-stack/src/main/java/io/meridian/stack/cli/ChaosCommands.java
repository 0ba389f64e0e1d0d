package io.meridian.stack.cli;

import io.meridian.stack.admin.StateOption;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Unmatched;

/** The programs of chaos-tests, each told where the repository and the state of the stack are. */
final class ChaosCommands {
    private static final String MODULE = "chaos-tests";

    private ChaosCommands() {}

    static JavaProgram of(String mainClass, List<String> jvmOptions, StateOption state, List<String> arguments) {
        List<String> options = new ArrayList<>(jvmOptions);
        options.add("-Dmeridian.home=" + StateOption.home());
        options.add("-Dmeridian.state-dir=" + state.folder().root());
        return new JavaProgram(MODULE, mainClass, options, arguments);
    }

    /** Runs drills, in a process of its own that understands the arguments by itself. */
    @Command(
            name = "drill",
            description = {
                "Cuts, kills and slows parts under load, and judges.",
                "list, describe NAME, validate FILE, run NAME, report, judge FOLDER; drill --help has more."
            })
    static final class DrillCommand implements Callable<Integer> {
        private static final String MAIN = "io.meridian.drill.cli.DrillMain";

        @Unmatched
        private List<String> arguments = new ArrayList<>();

        @Mixin
        private StateOption state = new StateOption();

        @Override
        public Integer call() throws IOException, InterruptedException {
            return ChaosCommands.of(MAIN, List.of("-Xmx512m"), state, arguments).run();
        }
    }

    /** Runs the simulation, in a process of its own that understands the arguments by itself. */
    @Command(name = "simulate", description = "Runs the whole protocol in virtual time, from seeds, and checks it.")
    static final class SimulateCommand implements Callable<Integer> {
        private static final String MAIN = "io.meridian.simulation.SimulateMain";

        @Unmatched
        private List<String> arguments = new ArrayList<>();

        @Mixin
        private StateOption state = new StateOption();

        @Override
        public Integer call() throws IOException, InterruptedException {
            return ChaosCommands.of(MAIN, List.of("-Xmx2g", "-XX:+UseParallelGC"), state, arguments)
                    .run();
        }
    }
}
