package io.meridian.chaos.cli;

import io.meridian.chaos.drill.world.Deployment;
import io.meridian.chaos.drill.world.LocalTarget;
import io.meridian.chaos.drill.world.OwnStack;
import io.meridian.chaos.drill.world.OwnTarget;
import io.meridian.chaos.drill.world.Target;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** What to run a drill against: the running stack unless told otherwise. */
final class TargetOptions {
    @Option(names = "--own", description = "Start a stack for this drill alone, and take it down in the end.")
    private boolean own;

    @Option(
            names = "--target",
            paramLabel = "FILE",
            description = "Run against the deployment that this file describes.")
    private Optional<Path> deployment = Optional.empty();

    Target open(PrintWriter out) throws Exception {
        if (own && deployment.isPresent()) {
            throw new IllegalArgumentException("--own and --target cannot both be given");
        }
        if (deployment.isPresent()) {
            return Deployment.of(deployment.get());
        }
        if (own) {
            out.println("Starting a stack for this drill; that takes a minute.");
            return OwnTarget.of(OwnStack.start(Places.home()));
        }
        return LocalTarget.of(Places.state());
    }
}
