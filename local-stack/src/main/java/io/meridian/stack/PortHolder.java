package io.meridian.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds who listens at a port, where the system tells: Linux, and for processes this user may look into. */
final class PortHolder {
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
