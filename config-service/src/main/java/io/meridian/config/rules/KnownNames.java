package io.meridian.config.rules;

import java.util.Comparator;
import java.util.Optional;
import java.util.Set;

/**
 * Names that exist outside the rules and by which policies select or count.
 *
 * @param regions that exist; empty while none is known: then regions are not checked
 * @param attributes that checks are known to have; empty if keys are not checked
 * @param allowUnknown whether a policy may name a tier or a region that does not exist
 */
public record KnownNames(Set<String> regions, Set<String> attributes, boolean allowUnknown) {
    /** For changes without new policies. */
    public static final KnownNames UNCHECKED = new KnownNames(Set.of(), Set.of(), true);

    /** More differences than this, or than one in three characters, are taken for another word. */
    private static final int EDITS_MAX = 2;

    public KnownNames {
        regions = Set.copyOf(regions);
        attributes = Set.copyOf(attributes);
    }

    /** The known name that a misspelt one is likely meant to be. */
    static Optional<String> nearest(String name, Set<String> names) {
        return names.stream()
                .filter(known -> editDistance(plain(name), plain(known))
                        <= Math.min(EDITS_MAX, plain(known).length() / 3))
                .min(Comparator.comparingInt((String known) -> editDistance(plain(name), plain(known)))
                        .thenComparing(Comparator.naturalOrder()));
    }

    private static String plain(String name) {
        return name.replaceAll("[._-]", "");
    }

    /** Levenshtein distance. */
    private static int editDistance(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[other.length()];
    }
}
