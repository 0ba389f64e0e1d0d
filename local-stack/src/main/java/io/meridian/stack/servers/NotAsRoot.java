package io.meridian.stack.servers;

import io.meridian.stack.process.Executables;
import io.meridian.stack.process.StartFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs a program for root that refuses to run as root. In a user namespace of its own the program sees another user and has
 * none of root's powers, while files of root stay its own.
 */
final class NotAsRoot {
    private static final List<String> UNSHARE = List.of("unshare", "--user");

    private NotAsRoot() {}

    /** What to put before a command that works in this directory. */
    static List<String> prefix(Path directory) {
        if (!Machine.isRoot()) {
            return List.of();
        }
        if (Executables.onPath("unshare").isEmpty() || !succeeds("true")) {
            throw new StartFailure(
                    "PostgreSQL refuses to run as root, and this machine does not let root start it in a user"
                            + " namespace (unshare --user). Run this as another user.");
        }
        if (!succeeds("test", "-w", directory.toString())) {
            throw new StartFailure("PostgreSQL refuses to run as root, and without root's powers " + directory
                    + " is not writable. Run this as the owner of that folder.");
        }
        return UNSHARE;
    }

    private static boolean succeeds(String... command) {
        List<String> full = new ArrayList<>(UNSHARE);
        full.addAll(List.of(command));
        try {
            Process process = new ProcessBuilder(full)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(5, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
