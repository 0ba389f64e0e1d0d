package io.meridian.stack.run;

import io.meridian.model.time.TimeSource;
import io.meridian.stack.process.ChildCommand;
import io.meridian.stack.process.ChildProcess;
import io.meridian.stack.process.Executables;
import io.meridian.stack.process.Loopback;
import io.meridian.stack.process.Readiness;
import io.meridian.stack.process.StartFailure;
import io.meridian.stack.server.ProbeKind;
import io.meridian.stack.topology.StackPlan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The services of a stack, each from its built application, in a small heap. */
record ServiceParts(StateFolder folder, StackPlan plan) {
    private static final Duration READY_WITHIN = Duration.ofMinutes(2);

    List<PartLaunch> all() {
        return ServiceSettings.of(plan, folder.adminToken()).stream()
                .map(settings -> new PartLaunch(settings.name(), forked -> start(settings, forked)))
                .toList();
    }

    private void start(ServiceSettings settings, Consumer<Part> forked) {
        int port = plan.ports().of(settings.name());
        String address = "http://" + Loopback.HOST + ":" + port;
        String ready = address + "/q/health/ready";
        Map<String, String> environment = new HashMap<>(settings.environment());
        environment.put("QUARKUS_HTTP_HOST", Loopback.HOST);
        environment.put("QUARKUS_HTTP_PORT", Integer.toString(port));
        ChildProcess process =
                ChildProcess.start(ChildCommand.of(settings.name(), command(settings), folder.log(settings.name()))
                        .withEnvironment(environment));
        forked.accept(new Part(settings.name(), address, process, ProbeKind.HTTP, ready));
        new Readiness(TimeSource.system(), READY_WITHIN).await(process, ProbeKind.HTTP.at(ready));
    }

    private List<String> command(ServiceSettings settings) {
        Path application = plan.home().resolve(settings.module()).resolve("target/quarkus-app/quarkus-run.jar");
        if (!Files.exists(application)) {
            throw new StartFailure(settings.module() + " is not built (" + application
                    + " is missing). Start the stack with" + " ./meridian, which builds what is missing.");
        }
        return List.of(
                Executables.java().toString(),
                "-Xms48m",
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:+ExitOnOutOfMemoryError",
                "-Xshare:auto",
                "-jar",
                application.toString());
    }
}
