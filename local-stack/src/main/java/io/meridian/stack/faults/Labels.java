package io.meridian.stack.faults;

import java.util.regex.Pattern;

/** The names a proxy or a toxic may have: what fits one segment of a path unescaped. */
final class Labels {
    private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9._:-]{1,100}");

    private Labels() {}

    static String require(String field, String label) {
        if (!LABEL.matcher(label).matches()) {
            throw new IllegalArgumentException(
                    field + " must be 1 to 100 of letters, digits and . _ : -, got \"" + label + "\"");
        }
        return label;
    }
}
