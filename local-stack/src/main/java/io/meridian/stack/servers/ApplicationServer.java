package io.meridian.stack.servers;

import io.meridian.model.time.TimeSource;
import io.meridian.stack.process.ChildCommand;
import io.meridian.stack.process.ChildProcess;
import io.meridian.stack.process.Executables;
import io.meridian.stack.process.Loopback;
import io.meridian.stack.process.Probe;
import io.meridian.stack.process.Readiness;
import io.meridian.stack.process.StartFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Service process from its built application, in a small heap. */
public final class ApplicationServer implements Server {
    private static final Duration READY_WITHIN = Duration.ofMinutes(5);
    /** Draining takes seconds, on a busy machine more: a process that is killed meanwhile fails the checks it has taken. */
    private static final Duration END_WITHIN = Duration.ofSeconds(30);

    static final List<String> SMALL =
            List.of("-Xms48m", "-Xmx256m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError", "-Xshare:auto");

    private final ChildProcess process;
    private final int port;

    private ApplicationServer(ChildProcess process, int port) {
        this.process = process;
        this.port = port;
    }

    public static ApplicationServer start(ApplicationSettings settings) {
        return start(settings, forked -> {});
    }

    /** Tells of the service as soon as it has a process, and returns when it says that it is ready. */
    public static ApplicationServer start(ApplicationSettings settings, Consumer<ApplicationServer> forked) {
        Map<String, String> environment = new HashMap<>(settings.environment());
        environment.put("QUARKUS_HTTP_HOST", Loopback.HOST);
        environment.put("QUARKUS_HTTP_PORT", Integer.toString(settings.port()));
        ChildProcess process = ChildProcess.start(
                new ChildCommand(settings.name(), command(settings), environment, settings.log(), "TERM", END_WITHIN));
        ApplicationServer server = new ApplicationServer(process, settings.port());
        forked.accept(server);
        new Readiness(TimeSource.system(), READY_WITHIN).await(process, server.probe());
        return server;
    }

    private static List<String> command(ApplicationSettings settings) {
        if (!Files.exists(settings.application())) {
            throw new StartFailure(settings.name() + " is not built (" + settings.application()
                    + " is missing). Start the stack with ./meridian, which builds what is missing.");
        }
        List<String> command = new ArrayList<>();
        command.add(Executables.java().toString());
        command.addAll(SMALL);
        command.addAll(ClassArchive.options(settings.application()));
        command.addAll(settings.jvmOptions());
        command.add("-jar");
        command.add(settings.application().toString());
        return command;
    }

    public int port() {
        return port;
    }

    /** {@code http://127.0.0.1:8101}. */
    public String url() {
        return "http://" + Loopback.HOST + ":" + port;
    }

    /** Address of its readiness check. */
    public String readyUrl() {
        return url() + "/q/health/ready";
    }

    @Override
    public Probe probe() {
        return ProbeKind.HTTP.at(readyUrl());
    }

    @Override
    public ChildProcess process() {
        return process;
    }

    /**
     * One process of a service, at a port of 127.0.0.1.
     *
     * @param name how messages and its log call it
     * @param application the built application's {@code quarkus-run.jar}
     * @param environment settings beside its address
     * @param jvmOptions put after the options of every service, so that they win: {@code -Xmx1g}, {@code -Dname=value}
     */
    public record ApplicationSettings(
            String name,
            Path application,
            Path log,
            int port,
            Map<String, String> environment,
            List<String> jvmOptions) {
        public ApplicationSettings {
            environment = Map.copyOf(environment);
            jvmOptions = List.copyOf(jvmOptions);
        }
    }

    /** Process of an installed program that serves HTTP. */
    public static final class ProgramServer implements Server {
        private static final Duration READY_WITHIN = Duration.ofMinutes(1);

        private final ChildProcess process;
        private final String readyUrl;

        private ProgramServer(ChildProcess process, String readyUrl) {
            this.process = process;
            this.readyUrl = readyUrl;
        }

        /** Tells of the program as soon as it has a process, and returns when {@code readyUrl} answers. */
        public static ProgramServer start(ChildCommand command, String readyUrl, Consumer<ProgramServer> forked) {
            ProgramServer server = new ProgramServer(ChildProcess.start(command), readyUrl);
            forked.accept(server);
            new Readiness(TimeSource.system(), READY_WITHIN).await(server.process, server.probe());
            return server;
        }

        @Override
        public Probe probe() {
            return ProbeKind.HTTP.at(readyUrl);
        }

        @Override
        public ChildProcess process() {
            return process;
        }
    }
}
