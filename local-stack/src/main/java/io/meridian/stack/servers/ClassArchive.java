package io.meridian.stack.servers;

import io.meridian.model.time.TimeSource;
import io.meridian.stack.process.ChildCommand;
import io.meridian.stack.process.ChildProcess;
import io.meridian.stack.process.Executables;
import io.meridian.stack.process.Loopback;
import io.meridian.stack.process.Probe;
import io.meridian.stack.process.Probe.ProbeFailure;
import io.meridian.stack.process.Readiness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Class data sharing archive (AppCDS) of a built service: its classes as the JVM holds them once they are parsed and verified. A
 * process that maps it spends about a third less CPU until it is ready. The build makes it by running the service once and ending it
 * in order, see {@link #main}.
 *
 * <p>The JVM accepts an archive only with the same Java and the same, unchanged jars; otherwise it starts as it does without one. So
 * a stale archive costs time and nothing else.
 */
public final class ClassArchive {
    private static final String FILE = "class-archive.jsa";
    private static final Duration LIVE_WITHIN = Duration.ofMinutes(2);
    /** A service that waits for servers which are not there is not ready before this; its classes are loaded by then. */
    private static final Duration READY_WITHIN = Duration.ofSeconds(1);

    /** Writing the archive is part of the process's end. */
    private static final Duration END_WITHIN = Duration.ofMinutes(1);

    private static final int PAUSE_MILLIS = 50;

    private ClassArchive() {}

    /** JVM options that make a process use the archive; none where the build made no archive. */
    static List<String> options(Path application) {
        Path archive = of(application);
        return Files.exists(archive) ? List.of("-XX:SharedArchiveFile=" + archive) : List.of();
    }

    /** Beside the folder of the application, so that it does not become part of an image. */
    private static Path of(Path application) {
        return application.toAbsolutePath().resolve("../..").normalize().resolve(FILE);
    }

    /**
     * Makes the archive of one service.
     *
     * @param arguments the application's {@code quarkus-run.jar}, then JVM options for its run: settings without which it does not
     *     start
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length < 1) {
            throw new IllegalArgumentException("needs the path of an application, got no argument");
        }
        Path application = Path.of(arguments[0]);
        Path archive = of(application);
        Files.deleteIfExists(archive);
        run(application, archive, Arrays.asList(arguments).subList(1, arguments.length));
        if (!Files.exists(archive)) {
            System.err.println("No class archive was made, so services start without one: " + archive);
        }
    }

    private static void run(Path application, Path archive, List<String> options)
            throws IOException, InterruptedException {
        Path log = archive.resolveSibling("class-archive.log");
        Files.deleteIfExists(log);
        int port = Loopback.freePort();
        List<String> command = new ArrayList<>();
        command.add(Executables.java().toString());
        command.addAll(ApplicationServer.SMALL);
        command.add("-XX:ArchiveClassesAtExit=" + archive);
        command.add("-Xlog:cds=error");
        command.add("-Dquarkus.shutdown.delay=0S");
        command.addAll(options);
        command.add("-jar");
        command.add(application.toAbsolutePath().toString());
        ChildCommand child = new ChildCommand("class archive", command, address(port), log, "TERM", END_WITHIN);
        try (ChildProcess process = ChildProcess.start(child)) {
            String url = "http://" + Loopback.HOST + ":" + port;
            new Readiness(TimeSource.system(), LIVE_WITHIN).await(process, ProbeKind.HTTP.at(url + "/q/health/live"));
            awaitReady(ProbeKind.HTTP.at(url + "/q/health/ready"));
            awaitReady(ProbeKind.HTTP.at(url + "/q/metrics"));
        }
    }

    private static Map<String, String> address(int port) {
        return Map.of("QUARKUS_HTTP_HOST", Loopback.HOST, "QUARKUS_HTTP_PORT", Integer.toString(port));
    }

    private static void awaitReady(Probe probe) throws InterruptedException {
        TimeSource time = TimeSource.system();
        long giveUpNanos = time.monotonicNanos() + READY_WITHIN.toNanos();
        while (time.monotonicNanos() < giveUpNanos) {
            try {
                probe.check();
                return;
            } catch (ProbeFailure notYet) {
                Thread.sleep(PAUSE_MILLIS);
            }
        }
    }
}
