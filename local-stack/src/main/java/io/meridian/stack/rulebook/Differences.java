package io.meridian.stack.rulebook;

import io.meridian.model.rules.RuleEntry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * What files would change: section by section, within one by name. Sections that the files lack are not looked at.
 *
 * @param revision that of the rulebook which they were compared with
 */
public record Differences(List<Difference> all, Rulebook files, long revision) {
    public Differences {
        all = List.copyOf(all);
    }

    /** Compares while the rulebook streams by; only what differs is kept. */
    public static Differences between(AdminApi api, Rulebook files) {
        return api.unchangedWhile(revision -> {
            List<Difference> all = new ArrayList<>();
            for (Section section : Section.ALL) {
                if (files.sections().contains(section)) {
                    List<Difference> found = of(section, api, files);
                    found.sort(Comparator.comparing(difference -> Documents.id(difference.key())));
                    all.addAll(found);
                }
            }
            return new Differences(all, files, revision);
        });
    }

    private static List<Difference> of(Section section, AdminApi api, Rulebook files) {
        List<Difference> found = new ArrayList<>();
        Map<RuleEntry.Key, Placed> onlyInFiles = files.of(section);
        api.each(section, entry -> {
            Placed placed = onlyInFiles.remove(entry.key());
            if (placed == null) {
                found.add(new Difference.Removed(entry.key()));
            } else if (!saysTheSame(entry, placed.entry())) {
                found.add(new Difference.Changed(entry, placed));
            }
            if (found.size() > Rulebook.ENTRIES_MAX) {
                throw new RulebookFailure("There are more than " + Rulebook.ENTRIES_MAX + " differences in "
                        + section.title() + "; long lists are for the import of the admin API");
            }
        });
        onlyInFiles.values().forEach(placed -> found.add(new Difference.Added(placed)));
        return found;
    }

    private static boolean saysTheSame(RuleEntry one, RuleEntry other) {
        return Documents.whole(one).equals(Documents.whole(other));
    }

    /** Whether there is something to do, or to decide. */
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
}
