package io.meridian.stack.rules;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.model.rules.RuleEntry;
import io.meridian.stack.rules.RuleFile.PlacedEntry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Differences between rule files and the rulebook, by section and name. Sections that the files lack are not compared.
 *
 * @param revision that of the rulebook which they were compared with
 */
public record RuleDiff(List<Difference> all, RuleFile files, long revision) {
    public RuleDiff {
        all = List.copyOf(all);
    }

    /** Compares while the rulebook streams by; only what differs is kept. */
    public static RuleDiff between(AdminApi api, RuleFile files) {
        return api.unchangedWhile(revision -> {
            List<Difference> all = new ArrayList<>();
            for (Section section : Section.ALL) {
                if (files.sections().contains(section)) {
                    List<Difference> found = of(section, api, files);
                    found.sort(Comparator.comparing(difference -> Documents.id(difference.key())));
                    all.addAll(found);
                }
            }
            return new RuleDiff(all, files, revision);
        });
    }

    private static List<Difference> of(Section section, AdminApi api, RuleFile files) {
        List<Difference> found = new ArrayList<>();
        Map<RuleEntry.Key, PlacedEntry> onlyInFiles = files.of(section);
        api.each(section, entry -> {
            PlacedEntry placed = onlyInFiles.remove(entry.key());
            if (placed == null) {
                found.add(new Difference.Removed(entry.key()));
            } else if (!saysTheSame(entry, placed.entry())) {
                found.add(new Difference.Changed(entry, placed));
            }
            if (found.size() > RuleFile.ENTRIES_MAX) {
                throw new RuleFailure("There are more than " + RuleFile.ENTRIES_MAX + " differences in "
                        + section.title() + "; long lists are for the import of the admin API");
            }
        });
        onlyInFiles.values().forEach(placed -> found.add(new Difference.Added(placed)));
        return found;
    }

    private static boolean saysTheSame(RuleEntry one, RuleEntry other) {
        return Documents.whole(one).equals(Documents.whole(other));
    }

    /** The differences for programs: counts, and each with its kind, its id and the entry of the files. */
    public ObjectNode toJson() {
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("revision", revision)
                .put("added", added())
                .put("changed", changed())
                .put("removed", removed());
        ArrayNode differences = json.putArray("differences");
        for (Difference each : all) {
            ObjectNode difference = differences
                    .addObject()
                    .put(
                            "op",
                            each instanceof Difference.Added
                                    ? "added"
                                    : each instanceof Difference.Changed ? "changed" : "removed")
                    .put("kind", Section.of(each.key()).kind())
                    .put("id", Documents.id(each.key()));
            each.placed().ifPresent(placed -> difference.set("entry", Documents.whole(placed.entry())));
        }
        return json;
    }

    /** Whether files and rulebook agree. */
    public boolean isEmpty() {
        return all.isEmpty();
    }

    public long added() {
        return count(Difference.Added.class);
    }

    public long changed() {
        return count(Difference.Changed.class);
    }

    public long removed() {
        return count(Difference.Removed.class);
    }

    private long count(Class<? extends Difference> kind) {
        return all.stream().filter(kind::isInstance).count();
    }

    /** Difference between the files and the rulebook in one key. */
    sealed interface Difference {
        RuleEntry.Key key();

        /** Entry of the files, if they have one. */
        Optional<PlacedEntry> placed();

        /** Only the files have it. */
        record Added(PlacedEntry added) implements Difference {
            @Override
            public RuleEntry.Key key() {
                return added.entry().key();
            }

            @Override
            public Optional<PlacedEntry> placed() {
                return Optional.of(added);
            }
        }

        /** Both have it, with other fields. */
        record Changed(RuleEntry before, PlacedEntry after) implements Difference {
            @Override
            public RuleEntry.Key key() {
                return before.key();
            }

            @Override
            public Optional<PlacedEntry> placed() {
                return Optional.of(after);
            }
        }

        /** Only the rulebook has it, in a section that the files have too. */
        record Removed(RuleEntry.Key key) implements Difference {
            @Override
            public Optional<PlacedEntry> placed() {
                return Optional.empty();
            }
        }
    }
}
