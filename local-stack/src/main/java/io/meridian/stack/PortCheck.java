package io.meridian.stack;

import io.meridian.stack.plan.PortPlan;
import io.meridian.stack.process.Loopback;
import io.meridian.stack.process.StartFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Check of every port before anything starts, so that a taken one is an error message and not half a stack. */
final class PortCheck {
    private PortCheck() {}

    static void allFree(PortPlan plan) {
        List<Map.Entry<String, Integer>> taken = plan.ports().entrySet().stream()
                .filter(port -> !Loopback.isFree(port.getValue()))
                .toList();
        if (!taken.isEmpty()) {
            throw new StartFailure(message(taken.get(0), taken.size() - 1));
        }
    }

    private static String message(Map.Entry<String, Integer> wanted, int more) {
        int port = wanted.getValue();
        String holder = PortHolder.of(port)
                .map(process -> " by process " + process.pid()
                        + process.info().command().map(c -> " (" + c + ")").orElse(""))
                .orElse("");
        return "Port %d, wanted by %s, is taken%s%s. Free it, or choose another: --port %s=PORT, or --ports-from BASE for all."
                .formatted(
                        port, wanted.getKey(), holder, more == 0 ? "" : ", and " + more + " more are", wanted.getKey());
    }

    /** Finds who listens at a port, where the system tells: Linux, and for processes this user may look into. */
    private static final class PortHolder {
        private static final Path PROC = Path.of("/proc");
        private static final String LISTENING = "0A";
        private static final int LOCAL_ADDRESS = 1;
        private static final int STATE = 3;
        private static final int INODE = 9;

        private PortHolder() {}

        static Optional<ProcessHandle> of(int port) {
            Set<String> sockets = Stream.of("net/tcp", "net/tcp6")
                    .flatMap(table -> lines(PROC.resolve(table)).stream())
                    .map(line -> line.strip().split("\\s+"))
                    .filter(fields -> fields.length > INODE && fields[STATE].equals(LISTENING))
                    .filter(fields -> fields[LOCAL_ADDRESS].endsWith(String.format(Locale.ROOT, ":%04X", port)))
                    .map(fields -> "socket:[" + fields[INODE] + "]")
                    .collect(Collectors.toSet());
            return sockets.isEmpty()
                    ? Optional.empty()
                    : ProcessHandle.allProcesses()
                            .filter(process -> holdsOne(process, sockets))
                            .findFirst();
        }

        private static boolean holdsOne(ProcessHandle process, Set<String> sockets) {
            Path descriptors = PROC.resolve(Long.toString(process.pid())).resolve("fd");
            try (Stream<Path> files = Files.list(descriptors)) {
                return files.anyMatch(file -> sockets.contains(target(file)));
            } catch (IOException e) {
                return false;
            }
        }

        private static String target(Path link) {
            try {
                return Files.readSymbolicLink(link).toString();
            } catch (IOException e) {
                return "";
            }
        }

        private static List<String> lines(Path file) {
            try {
                return Files.readAllLines(file);
            } catch (IOException e) {
                return List.of();
            }
        }
    }
}
