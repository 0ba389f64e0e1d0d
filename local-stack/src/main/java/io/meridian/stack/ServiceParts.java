package io.meridian.stack;

import io.meridian.stack.servers.ApplicationServer;
import io.meridian.stack.servers.ApplicationSettings;
import io.meridian.stack.servers.ProbeKind;
import io.meridian.stack.plan.StackPlan;
import java.util.List;
import java.util.function.Consumer;

/** The services of a stack, each from its built application. */
record ServiceParts(StateFolder folder, StackPlan plan) {
    /**
     * The first compiler only. A dozen processes of one machine would else compile for minutes after their start, and miss their time
     * budgets meanwhile; what they could reach at best is not what a laptop is for.
     */
    private static final List<String> QUICK_TO_WARM = List.of("-XX:TieredStopAtLevel=1");

    List<PartLaunch> all() {
        return ServiceSettings.of(plan, folder).stream()
                .map(settings -> new PartLaunch(settings.name(), forked -> start(settings, forked)))
                .toList();
    }

    private void start(ServiceSettings settings, Consumer<Part> forked) {
        ApplicationSettings application = new ApplicationSettings(
                settings.name(),
                plan.home().resolve(settings.module()).resolve("target/quarkus-app/quarkus-run.jar"),
                folder.log(settings.name()),
                plan.ports().of(settings.name()),
                settings.environment(),
                QUICK_TO_WARM);
        ApplicationServer.start(
                application,
                server -> forked.accept(
                        new Part(settings.name(), server.url(), server.process(), ProbeKind.HTTP, server.readyUrl())));
    }
}
