package io.meridian.infra.image;

import io.meridian.stack.process.Executables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * How root runs a program as a container engine does: it sees nothing but the unpacked files, the devices and the processes, runs
 * as the image's user, and has the image's environment and no other.
 */
record OwnRoot(Path env, Path unshare) {
    /** What every engine puts into a root. */
    private static final String ENTER = """
            mount --bind /dev "$1/dev" && mount --bind /proc "$1/proc" || exit 125
            root=$1 user=$2
            shift 2
            exec chroot --userspec="$user" "$root" "$@"
            """;

    /** Empty for whoever is not root, and where root may not mount. */
    static Optional<OwnRoot> ofThisMachine() throws IOException, InterruptedException {
        Optional<Path> env = Executables.onPath("env");
        Optional<Path> unshare = Executables.onPath("unshare");
        if (env.isEmpty() || unshare.isEmpty() || Executables.onPath("chroot").isEmpty() || !isRoot()) {
            return Optional.empty();
        }
        Process probe = new ProcessBuilder(unshare.get().toString(), "--mount", "mount", "--bind", "/dev", "/dev")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        boolean may = probe.waitFor(10, TimeUnit.SECONDS) && probe.exitValue() == 0;
        return may ? Optional.of(new OwnRoot(env.get(), unshare.get())) : Optional.empty();
    }

    private static boolean isRoot() throws IOException {
        return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    }

    List<String> command(Path root, String user, Map<String, String> environment, List<String> program)
            throws IOException {
        Files.createDirectories(root.resolve("dev"));
        Files.createDirectories(root.resolve("proc"));
        List<String> command = new ArrayList<>(List.of(env.toString(), "-i"));
        environment.forEach((name, value) -> command.add(name + "=" + value));
        command.addAll(List.of(unshare.toString(), "--mount", "sh", "-c", ENTER, "sh", root.toString(), user));
        command.addAll(program);
        return command;
    }
}
