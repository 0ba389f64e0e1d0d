package io.meridian.stack.cli;

import static java.util.stream.Collectors.joining;

import io.meridian.stack.process.StartFailure;
import io.meridian.stack.LogFollower;
import io.meridian.stack.StateFolder;
import java.io.IOException;
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
}
