package io.meridian.stack.rulebook;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import io.meridian.model.rules.RuleEntry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What was read of files so far, held against each other, and all that is wrong with it. */
final class FileReading {
    private static final int TOLD_MAX = 50;

    private final Set<Section> sections = EnumSet.noneOf(Section.class);
    private final Map<RuleEntry.Key, Placed> entries = new LinkedHashMap<>();
    private final List<String> wrong = new ArrayList<>();
    private int wrongCount;
    private String defaultTier = "";
    private String defaultPlace = "";

    void add(Path file) {
        String name = file.toString();
        try (InputStream in = Files.newInputStream(file)) {
            long bytes = Files.size(file);
            if (bytes > StrictYaml.BYTES_MAX) {
                refuse(name, "must have at most " + StrictYaml.BYTES_MAX + " bytes, got " + bytes);
                return;
            }
            add(name, in);
        } catch (NoSuchFileException missing) {
            refuse(name, "does not exist");
        } catch (IOException unreadable) {
            refuse(name, "cannot be read: " + unreadable.getMessage());
        }
    }

    void addResource(String name) {
        try (InputStream in = FileReading.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new RulebookFailure(name + " is missing from the command's jar");
            }
            add(name, in);
        } catch (IOException unreadable) {
            refuse(name, "cannot be read: " + unreadable.getMessage());
        }
    }

    private void add(String name, InputStream in) throws IOException {
        try (JsonParser parser = StrictYaml.parser(in)) {
            new FileSections(name, parser, this).read();
        } catch (JsonProcessingException malformed) {
            String place = malformed.getLocation() == null
                    ? name
                    : name + ":" + malformed.getLocation().getLineNr();
            // The lines that are set in show the place once more.
            String reason = malformed
                    .getOriginalMessage()
                    .lines()
                    .filter(line -> !line.startsWith(" "))
                    .collect(Collectors.joining(", "));
            refuse(place, "must be YAML: " + reason);
        }
    }

    void refuse(String place, String reason) {
        wrongCount++;
        if (wrong.size() < TOLD_MAX) {
            wrong.add(place + ": " + reason);
        }
    }

    void has(Section section) {
        sections.add(section);
    }

    void put(Placed placed) {
        if (entries.size() == Rulebook.ENTRIES_MAX) {
            throw new RulebookFailure(placed.place() + ": is one more than the " + Rulebook.ENTRIES_MAX
                    + " entries this command takes; long lists are for the import of the admin API");
        }
        Placed other = entries.putIfAbsent(placed.entry().key(), placed);
        if (other != null) {
            refuse(placed.place(), Review.name(placed.entry().key()) + " stands at " + other.place() + " already");
        } else if (placed.entry() instanceof RuleEntry.OfTier tier
                && tier.tier().isDefault()) {
            defaultTier(placed.place(), tier.tier().name());
        }
    }

    /** A tier is the default by its own word or by the file's; both may say so, of the same one. */
    void defaultTier(String place, String name) {
        if (!defaultTier.isEmpty() && !defaultTier.equals(name)) {
            refuse(place, "there is one default tier: " + defaultTier + " by " + defaultPlace + ", got " + name);
            return;
        }
        defaultTier = name;
        defaultPlace = place;
    }

    Rulebook rulebook() {
        if (!defaultTier.isEmpty()) {
            markDefaultTier();
        }
        if (wrongCount > 0) {
            String more = wrongCount > wrong.size() ? "\nand " + (wrongCount - wrong.size()) + " more" : "";
            throw new RulebookFailure(String.join("\n", wrong) + more);
        }
        return new Rulebook(sections, entries);
    }

    private void markDefaultTier() {
        Placed placed = entries.get(new RuleEntry.Key.OfTier(defaultTier));
        if (placed != null && placed.entry() instanceof RuleEntry.OfTier of) {
            RuleEntry marked = new RuleEntry.OfTier(of.tier().asDefault(true));
            entries.put(marked.key(), new Placed(marked, placed.file(), placed.line()));
        } else {
            refuse(defaultPlace, "default_tier must be one of the tiers of these files, got " + defaultTier);
        }
    }
}
