package io.meridian.stack.servers;

import io.meridian.model.time.TimeSource;
import io.meridian.stack.process.ChildCommand;
import io.meridian.stack.process.ChildProcess;
import io.meridian.stack.process.Probe;
import io.meridian.stack.process.Readiness;
import java.time.Duration;
import java.util.function.Consumer;

/** A program of this machine that serves HTTP. */
public final class ProgramServer implements Server {
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
