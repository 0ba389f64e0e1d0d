package io.meridian.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Record of one test JVM: the Java processes that its tests started, and the seeds they played. JUnit loads it as a service; {@link
 * BuildReport} adds the records up. It writes nothing where {@code meridian.test.record} names no folder, as in an IDE.
 *
 * <p>Processes are found by looking every quarter of a second for ones that inherited this module's {@code MERIDIAN_TEST_MODULE}, so
 * one that lives for less may be missed. Only Linux shows the environment of a process; elsewhere descendants are counted.
 */
public final class TestJvm implements LauncherSessionListener {
    private static final int LOOK_MILLIS = 250;
    private static final String MODULE = "MERIDIAN_TEST_MODULE";

    private final Set<String> seen = new HashSet<>();
    private final Thread watcher = new Thread(this::watch, "jvm-starts");
    private volatile boolean closed;

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        if (folder() != null) {
            watcher.setDaemon(true);
            watcher.start();
        }
    }

    @Override
    public void launcherSessionClosed(LauncherSession session) {
        String folder = folder();
        if (folder == null || closed) {
            return;
        }
        closed = true;
        try {
            watcher.join();
            Path record = Path.of(folder).resolve(ProcessHandle.current().pid() + ".record");
            Files.createDirectories(record.getParent());
            Files.write(
                    record,
                    List.of("jvms=" + (seen.size() + 1), "seeds=" + TestSeeds.played(), "first=" + TestSeeds.base()));
        } catch (IOException e) {
            throw new UncheckedIOException("the record of a test JVM cannot be written to " + folder, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static @Nullable String folder() {
        return System.getProperty("meridian.test.record");
    }

    private void watch() {
        try {
            while (!closed) {
                look();
                Thread.sleep(LOOK_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        long self = ProcessHandle.current().pid();
        ProcessHandle.allProcesses()
                .filter(process -> process.pid() != self && isJava(process) && isOurs(process))
                .forEach(process -> seen.add(
                        process.pid() + " " + process.info().startInstant().orElse(null)));
    }

    private static boolean isJava(ProcessHandle process) {
        return process.info()
                .command()
                .filter(command -> command.endsWith("/java"))
                .isPresent();
    }

    private static boolean isOurs(ProcessHandle process) {
        Path environment = Path.of("/proc/" + process.pid() + "/environ");
        if (!Files.exists(environment)) {
            return ProcessHandle.current().descendants().anyMatch(process::equals);
        }
        try {
            return Files.readString(environment, StandardCharsets.ISO_8859_1)
                    .contains(MODULE + "=" + System.getenv(MODULE) + "\0");
        } catch (IOException ended) {
            return false;
        }
    }
}
