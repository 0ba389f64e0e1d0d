package io.meridian.chaos.cli;

import io.meridian.chaos.drill.file.Drill;
import io.meridian.chaos.drill.file.DurationText;
import io.meridian.chaos.drill.file.LoadPlan;
import java.util.Optional;
import picocli.CommandLine.Option;

/** How long a drill is, other than its file says. */
final class LoadOptions {
    @Option(
            names = "--window",
            paramLabel = "5s",
            description = "The window of the limits; they grow with it, rates stay.")
    private Optional<String> window = Optional.empty();

    @Option(names = "--control", paramLabel = "N", description = "Windows before the fault.")
    private Optional<Integer> control = Optional.empty();

    @Option(names = "--fault", paramLabel = "N", description = "Windows of the fault, at least.")
    private Optional<Integer> fault = Optional.empty();

    @Option(names = "--recovery", paramLabel = "N", description = "Windows after the world has mended.")
    private Optional<Integer> recovery = Optional.empty();

    Drill applied(Drill drill) {
        LoadPlan plan = window.map(text -> drill.load().withWindow(DurationText.parse(text)))
                .orElse(drill.load());
        return drill.withLoad(plan.withWindows(
                control.orElse(plan.controlWindows()),
                fault.orElse(plan.faultWindows()),
                recovery.orElse(plan.recoveryWindows())));
    }
}
