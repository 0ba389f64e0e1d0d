package io.meridian.stack.cli;

import io.meridian.stack.run.StateFolder;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where a stack keeps its state; two stacks with different folders and ports do not meet. */
final class StateOption {
    @Option(
            names = "--state-dir",
            paramLabel = "FOLDER",
            description = "Folder for data, logs and state. Default: MERIDIAN_STATE, else .meridian in the repository.")
    private Optional<Path> given = Optional.empty();

    StateFolder folder() {
        return folder(System.getenv());
    }

    /** An empty name is none: it would be whatever folder the user stands in. */
    StateFolder folder(Map<String, String> environment) {
        Path unlessGiven = Optional.ofNullable(environment.get("MERIDIAN_STATE"))
                .filter(name -> !name.isEmpty())
                .map(Path::of)
                .orElseGet(() -> home().resolve(".meridian"));
        return new StateFolder(
                given.filter(folder -> !folder.toString().isEmpty()).orElse(unlessGiven));
    }

    /** The root of the repository, as the shell script says. */
    static Path home() {
        return Path.of(System.getProperty("meridian.home", "")).toAbsolutePath().normalize();
    }
}
