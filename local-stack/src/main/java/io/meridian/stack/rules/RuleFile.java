package io.meridian.stack.rules;

import io.meridian.model.rules.RuleEntry;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Rules of several files taken together.
 *
 * @param sections those that some file has, possibly without entries; the others are left alone
 */
public record RuleFile(Set<Section> sections, Map<RuleEntry.Key, PlacedEntry> entries) {
    /** More are for the import of lists: the command holds every entry of the files in its small heap. */
    static final int ENTRIES_MAX = 200_000;

    public RuleFile {
        sections = Set.copyOf(sections);
        entries = Collections.unmodifiableMap(entries);
    }

    public static RuleFile read(List<Path> files) {
        RuleFileReader reading = new RuleFileReader();
        files.forEach(reading::add);
        return reading.rulebook();
    }

    /** Reads what is on the class path. */
    public static RuleFile resource(String name) {
        RuleFileReader reading = new RuleFileReader();
        reading.addResource(name);
        return reading.rulebook();
    }

    /** The entries of one section, to be taken from. */
    Map<RuleEntry.Key, PlacedEntry> of(Section section) {
        Map<RuleEntry.Key, PlacedEntry> found = new LinkedHashMap<>();
        entries.forEach((key, placed) -> {
            if (Section.of(key) == section) {
                found.put(key, placed);
            }
        });
        return found;
    }

    /** Entry with its place in a file. */
    record PlacedEntry(RuleEntry entry, String file, int line) {
        String place() {
            return file + ":" + line;
        }
    }
}
