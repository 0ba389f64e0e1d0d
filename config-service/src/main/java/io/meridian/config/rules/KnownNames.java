package io.meridian.config.rules;

import java.util.Comparator;
import java.util.Optional;
import java.util.Set;

/**
 * Names that exist outside the rulebook and that its policies select by or count by.
 *
 * @param regions that exist; empty if none has been heard of, so that no name can be judged
 * @param attributes that checks are known to have; empty if keys are not to be judged
 * @param allowUnknown whether a policy may name a tier or a region that does not exist
 */
public record KnownNames(Set<String> regions, Set<String> attributes, boolean allowUnknown) {
    /** For changes that bring no new policies. */
    public static final KnownNames UNCHECKED = new KnownNames(Set.of(), Set.of(), true);

    /** More differences than this, or than one in three characters, are another word and no slip. */
    private static final int SLIPS_MAX = 2;

    public KnownNames {
        regions = Set.copyOf(regions);
        attributes = Set.copyOf(attributes);
    }

    /** The one of some names that another is likely meant to be. */
    static Optional<String> nearest(String name, Set<String> names) {
        return names.stream()
                .filter(known -> slips(plain(name), plain(known))
                        <= Math.min(SLIPS_MAX, plain(known).length() / 3))
                .min(Comparator.comparingInt((String known) -> slips(plain(name), plain(known)))
                        .thenComparing(Comparator.naturalOrder()));
    }

    private static String plain(String name) {
        return name.replaceAll("[._-]", "");
    }

    /** How many characters have to be inserted, removed or replaced to make one of the other. */
    private static int slips(String one, String other) {
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
