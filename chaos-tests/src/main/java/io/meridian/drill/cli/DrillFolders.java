package io.meridian.drill.cli;

import io.meridian.stack.StateFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.Optional;

/** Folders of the command: the repository, the state of the running stack, and the reports of drills. */
final class DrillFolders {
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private DrillFolders() {}

    static Path home() {
        return Path.of(System.getProperty("meridian.home", "")).toAbsolutePath().normalize();
    }

    static StateFolder state() {
        String given = System.getProperty("meridian.state-dir", "");
        return new StateFolder(given.isEmpty() ? home().resolve(".meridian") : Path.of(given));
    }

    static Path drills() {
        return state().root().resolve("drills");
    }

    /** Folder of one run's report. */
    static Path report(Path all, String drill, Instant startedAt) {
        return all.resolve(drill + "-" + STAMP.format(startedAt));
    }

    /** The latest report. */
    static Optional<Path> lastReport() throws IOException {
        if (!Files.isDirectory(drills())) {
            return Optional.empty();
        }
        try (var folders = Files.list(drills())) {
            return folders.filter(folder -> Files.isRegularFile(folder.resolve("results.json")))
                    .max(Comparator.comparing(
                            folder -> stamp(folder.getFileName().toString())));
        }
    }

    private static String stamp(String folder) {
        return folder.substring(folder.lastIndexOf('-') + 1);
    }
}
