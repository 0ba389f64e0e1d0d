package io.meridian.config.rules;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;

/** The order of ids: that of their UTF-8, as PostgreSQL's collation C has it. */
final class Ids {
    static final Comparator<String> ORDER =
            (a, b) -> Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));

    private Ids() {}
}
