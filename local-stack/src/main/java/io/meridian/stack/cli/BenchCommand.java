package io.meridian.stack.cli;

import io.meridian.stack.StackState;
import io.meridian.stack.admin.StateOption;
import io.meridian.stack.process.StartFailure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Measures, in a process of its own, so that nothing of the command is in the figures. */
@Command(name = "bench", mixinStandardHelpOptions = true, description = "Measures and prints figures.")
final class BenchCommand implements Callable<Integer> {
    /** Programs that measure. */
    enum Figures {
        CORE("io.meridian.bench.CoreFigures"),
        LIMITER("io.meridian.bench.limiter.LimiterFigures"),
        GRPC("io.meridian.bench.limiter.GrpcFigures"),
        CLIENT("io.meridian.bench.limiter.ClientFigures"),
        AGGREGATOR("io.meridian.bench.aggregator.AggregatorFigures"),
        USAGE("io.meridian.limiter.global.RegionalUsageFigures"),
        CONFIG("io.meridian.bench.config.ConfigFigures"),
        GLOBAL("io.meridian.drill.cli.GlobalLimitsBench");

        private final String main;

        Figures(String main) {
            this.main = main;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Parameters(
            paramLabel = "WHAT",
            defaultValue = "core",
            description = {
                "core: time and allocation of every algorithm and of matching.",
                "limiter: checks beside the bare framework and beside a peer, in about five minutes.",
                "grpc: checks over Envoy's rate limit service beside the same over HTTP, in about a minute.",
                "client: calls per check and time of a decision of the Java client, leased and remote, in a minute and a half.",
                "aggregator: what a leader's memory of up to ten million limits costs; wants 8 GiB.",
                "usage: how many changed limits of its own region an instance reports a second.",
                "global: overshoot, flag delay, utilisation and takeover of global limits, on a stack of its own.",
                "config: how long a change takes to be in effect everywhere, on the running stack.",
                "Default: ${DEFAULT-VALUE}."
            })
    private Figures figures = Figures.CORE;

    @Option(names = "--short", description = "Only shows that it runs: in seconds, and the figures mean nothing.")
    private boolean brief;

    @Option(
            names = "--cpu",
            description = "Only what a check costs the limiter's process (limiter), in about two minutes.")
    private boolean cpu;

    @Mixin
    private StateOption state = new StateOption();

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<String> options =
                figures == Figures.AGGREGATOR ? List.of("-Xmx8g", "-XX:+UseParallelGC") : List.<String>of();
        List<String> arguments = new ArrayList<>();
        if (figures == Figures.CONFIG) {
            if (StackState.read(state.folder()).filter(StackState::ready).isEmpty()) {
                throw new StartFailure("bench config measures the running stack, and nothing runs. "
                        + state.command("up --detach") + " starts it.");
            }
            arguments.add("--state-dir=" + state.folder().root());
        }
        if (brief) {
            arguments.add("--short");
        }
        if (cpu && figures == Figures.LIMITER) {
            arguments.add("--cpu");
        }
        if (figures == Figures.GLOBAL) {
            return ChaosCommands.of(figures.main, options, state, arguments).run();
        }
        return new JavaProgram("benchmarks", figures.main, options, arguments).run();
    }
}
