package io.meridian.chaos.cli;

import io.meridian.chaos.drill.file.BuiltInDrills;
import io.meridian.chaos.drill.file.Drill;
import io.meridian.chaos.drill.file.DrillFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Drills by the names of built-in ones, or by their files. */
final class Drills {
    private static final String ALL = "all";

    private Drills() {}

    /** One, or all that are built in. */
    static List<Drill> findAll(String nameOrFile) throws IOException {
        if (!nameOrFile.equals(ALL)) {
            return List.of(find(nameOrFile));
        }
        List<Drill> all = new ArrayList<>();
        for (String each : BuiltInDrills.NAMES) {
            all.add(BuiltInDrills.read(each));
        }
        return all;
    }

    static Drill find(String nameOrFile) throws IOException {
        if (BuiltInDrills.NAMES.contains(nameOrFile)) {
            return BuiltInDrills.read(nameOrFile);
        }
        Path file = Path.of(nameOrFile);
        return Files.isRegularFile(file) ? DrillFile.read(file) : BuiltInDrills.read(nameOrFile);
    }
}
