package io.meridian.chaos.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Every process of the machine, by its whole command line; Java's own view of it ends after some thousand characters. */
final class Processes {
    private static final int TRIES_MAX = 100;
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
        Process ps = new ProcessBuilder("ps", "-A", "-ww", "-o", "pid=,args=").start();
        String all = new String(ps.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(ps.waitFor()).isZero();
        return all.lines().filter(line -> line.contains(folder.toString())).toList();
    }
}
