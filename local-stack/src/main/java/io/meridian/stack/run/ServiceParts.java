package io.meridian.stack.run;

import io.meridian.stack.server.ApplicationServer;
import io.meridian.stack.server.ApplicationSettings;
import io.meridian.stack.server.ProbeKind;
import io.meridian.stack.topology.StackPlan;
import java.util.List;
import java.util.function.Consumer;

/** The services of a stack, each from its built application. */
record ServiceParts(StateFolder folder, StackPlan plan) {
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
                List.of());
        ApplicationServer.start(
                application,
                server -> forked.accept(
                        new Part(settings.name(), server.url(), server.process(), ProbeKind.HTTP, server.readyUrl())));
    }
}
