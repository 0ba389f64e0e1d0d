package io.meridian.stack.rulebook;

import io.meridian.model.rules.RuleEntry;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What files say together.
 *
 * @param sections those that some file has, be it without entries; of the others nothing is said
 */
public record Rulebook(Set<Section> sections, Map<RuleEntry.Key, Placed> entries) {
    /** More are for the import of lists: the command holds every entry of the files in its small heap. */
    static final int ENTRIES_MAX = 200_000;

    public Rulebook {
        sections = Set.copyOf(sections);
        entries = Collections.unmodifiableMap(entries);
    }

    public static Rulebook read(List<Path> files) {
        FileReading reading = new FileReading();
        files.forEach(reading::add);
        return reading.rulebook();
    }

    /** Reads what is on the class path. */
    public static Rulebook resource(String name) {
        FileReading reading = new FileReading();
        reading.addResource(name);
        return reading.rulebook();
    }

    /** The entries of one section, to be taken from. */
    Map<RuleEntry.Key, Placed> of(Section section) {
        Map<RuleEntry.Key, Placed> found = new LinkedHashMap<>();
        entries.forEach((key, placed) -> {
            if (Section.of(key) == section) {
                found.put(key, placed);
            }
        });
        return found;
    }
}
