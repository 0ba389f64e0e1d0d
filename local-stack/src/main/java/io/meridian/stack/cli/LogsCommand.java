package io.meridian.stack.cli;

import static java.util.stream.Collectors.joining;

import io.meridian.stack.StateFolder;
import io.meridian.stack.admin.StateOption;
import io.meridian.stack.process.StartFailure;
import java.io.IOException;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows what a part has logged. */
@Command(
        name = "logs",
        mixinStandardHelpOptions = true,
        description = "Shows the end of a part's log; the parts are those of status.")
final class LogsCommand implements Callable<Integer> {
    private static final int SHOWN_BYTES = 16 * 1024;
    private static final int PAUSE_MILLIS = 200;

    @Parameters(paramLabel = "NAME", description = "Of a part, or supervisor.")
    private String name = "";

    @Option(
            names = {"-f", "--follow"},
            description = "Go on showing what is added, until Ctrl-C.")
    private boolean follow;

    @Mixin
    private StateOption state = new StateOption();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path log = state.folder().log(name);
        if (!Files.exists(log)) {
            throw new StartFailure("There is no log called " + name + ". There are: " + names(state.folder()));
        }
        try (LogFollower follower = new LogFollower(log)) {
            follower.skipToLast(SHOWN_BYTES);
            follower.copyTo(System.out);
            while (follow) {
                Thread.sleep(PAUSE_MILLIS);
                follower.copyTo(System.out);
            }
        }
        return 0;
    }

    private static String names(StateFolder folder) throws IOException {
        if (!Files.isDirectory(folder.logs())) {
            return "none, nothing was started yet";
        }
        try (Stream<Path> logs = Files.list(folder.logs())) {
            return logs.map(log -> log.getFileName().toString().replaceFirst("\\.log$", ""))
                    .filter(found -> !found.endsWith(".previous"))
                    .sorted()
                    .collect(joining(", "));
        }
    }

    /** Shows what is added to a log. */
    static final class LogFollower implements AutoCloseable {
        private static final int CHUNK_BYTES = 8 * 1024;

        private final RandomAccessFile file;

        LogFollower(Path log) throws IOException {
            this.file = new RandomAccessFile(log.toFile(), "r");
        }

        /** Leaves out all but the last bytes, from the next whole line on. */
        void skipToLast(long bytes) throws IOException {
            if (file.length() > bytes) {
                file.seek(file.length() - bytes);
                file.readLine();
            }
        }

        /** Shows what is there and was not shown before. */
        void copyTo(PrintStream out) throws IOException {
            byte[] chunk = new byte[CHUNK_BYTES];
            for (int read = file.read(chunk); read > 0; read = file.read(chunk)) {
                out.write(chunk, 0, read);
            }
            out.flush();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
