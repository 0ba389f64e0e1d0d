package io.meridian.stack.process;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Failure to start a part. The message is for the user and gives the reason, with the end of the part's log where it helps. */
public final class StartFailure extends RuntimeException {
    public StartFailure(String message) {
        super(message);
    }

    public StartFailure(String message, Throwable cause) {
        super(message, cause);
    }

    public static StartFailure withLog(String message, Path log) {
        return new StartFailure(message + "\n  The end of " + log + ":\n" + LogTail.of(log));
    }

    /** The last lines of a log, however long it is, and before them the causes that exceptions above name. */
    static final class LogTail {
        private static final int LINES = 15;
        private static final int BYTES_MAX = 64 * 1024;
        private static final String CAUSE = "Caused by: ";

        private LogTail() {}

        static String of(Path log) {
            try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
                int size = (int) Math.min(file.length(), BYTES_MAX);
                byte[] end = new byte[size];
                file.seek(file.length() - size);
                file.readFully(end);
                List<String> lines =
                        new String(end, StandardCharsets.UTF_8).lines().toList();
                int from = Math.max(0, lines.size() - LINES);
                // A long stack trace hides its reason from who reads the end alone.
                Stream<String> reasons = lines.subList(0, from).stream().filter(line -> line.startsWith(CAUSE));
                return Stream.concat(reasons, lines.subList(from, lines.size()).stream())
                        .map(line -> "  | " + line)
                        .collect(Collectors.joining("\n"));
            } catch (IOException e) {
                return "  | (no log: " + e.getMessage() + ")";
            }
        }
    }
}
