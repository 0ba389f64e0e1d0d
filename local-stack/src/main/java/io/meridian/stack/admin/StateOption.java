package io.meridian.stack.admin;

import io.meridian.stack.StateFolder;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Option for the state folder of a stack; two stacks with different folders and ports do not meet. */
public final class StateOption {
    @Option(
            names = "--state-dir",
            paramLabel = "FOLDER",
            description = "Folder for data, logs and state. Default: MERIDIAN_STATE, else .meridian in the repository.")
    private Optional<Path> given = Optional.empty();

    public StateFolder folder() {
        return folder(System.getenv());
    }

    /** An empty name is none: it would be whatever folder the user stands in. */
    StateFolder folder(Map<String, String> environment) {
        return given.filter(folder -> !folder.toString().isEmpty())
                .map(StateFolder::new)
                .orElseGet(() -> unlessGiven(environment));
    }

    private static StateFolder unlessGiven(Map<String, String> environment) {
        return new StateFolder(Optional.ofNullable(environment.get("MERIDIAN_STATE"))
                .filter(name -> !name.isEmpty())
                .map(Path::of)
                .orElseGet(() -> home().resolve(".meridian")));
    }

    /** Command line for the same folder, to be pasted into a shell. */
    public String command(String arguments) {
        return command(arguments, System.getenv());
    }

    String command(String arguments, Map<String, String> environment) {
        StateFolder folder = folder(environment);
        boolean usual = folder.equals(unlessGiven(environment));
        return "./meridian " + arguments + (usual ? "" : " --state-dir=" + quoted(folder.root()));
    }

    private static String quoted(Path path) {
        String name = path.toString();
        return name.matches("[A-Za-z0-9/._-]+") ? name : "'" + name.replace("'", "'\\''") + "'";
    }

    /** Whether the command runs from a checkout, as the shell script says; else it is meridian.jar alone. */
    public static boolean isCheckout() {
        return System.getProperty("meridian.home") != null;
    }

    /** The root of the repository, as the shell script says. */
    public static Path home() {
        return Path.of(System.getProperty("meridian.home", "")).toAbsolutePath().normalize();
    }
}
