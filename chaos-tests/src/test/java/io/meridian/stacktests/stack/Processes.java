package io.meridian.stacktests.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Every process of the machine, by its whole command line; Java's own view of it ends after some thousand characters. */
final class Processes {
    private static final Path PROC = Path.of("/proc");
    private static final int SIGINT = 2;
    private static final int TRIES_MAX = 1_200;
    private static final int PAUSE_MILLIS = 100;

    private Processes() {}

    /** Parts are known by their data folder, guards by their log, the supervisor by its option. */
    static void assertNoneNames(Path folder) throws Exception {
        List<String> left = naming(folder);
        for (int tries = 0; !left.isEmpty() && tries < TRIES_MAX; tries++) {
            Thread.sleep(PAUSE_MILLIS);
            left = naming(folder);
        }
        assertThat(left).isEmpty();
    }

    static List<String> naming(Path folder) throws Exception {
        List<String> all = Files.exists(PROC.resolve("self/cmdline")) ? listedByProc() : listedByPs();
        return all.stream().filter(line -> line.contains(folder.toString())).toList();
    }

    private static List<String> listedByProc() throws IOException {
        List<String> all = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : processes) {
                try {
                    String arguments = Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
                    all.add(process.getFileName() + " " + arguments.replace('\0', ' '));
                } catch (IOException ended) {
                    // It was there when the folder was read; now it is not left.
                }
            }
        }
        return all;
    }

    private static List<String> listedByPs() throws Exception {
        Process ps = new ProcessBuilder("ps", "-A", "-ww", "-o", "pid=,args=").start();
        String all = new String(ps.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(ps.waitFor()).isZero();
        return all.lines().toList();
    }

    /**
     * Whether this process, and so every child of it, ignores Ctrl-C: a shell without job control starts its background
     * processes so. The command then ends by the other signal it knows.
     */
    static boolean interruptIsIgnored() throws IOException {
        Path status = PROC.resolve("self/status");
        if (!Files.exists(status)) {
            return false;
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .mapToLong(line -> Long.parseUnsignedLong(
                        line.substring("SigIgn:".length()).strip(), 16))
                .anyMatch(ignored -> (ignored & 1L << (SIGINT - 1)) != 0);
    }
}
