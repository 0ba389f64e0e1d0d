package io.meridian.config.ops;

import io.micrometer.core.instrument.config.MeterFilter;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Keeps the paths of calls out of metrics, but for what collection they ask. A path that is refused before it is known what it
 * is for would else be a tag of its own, and may hold what its caller should have kept secret.
 */
@Singleton
class PathTags {
    private static final Pattern OURS = Pattern.compile("(/admin/api/v1/[a-z-]{1,24})(/.*)?");
    /** What stands for paths already, and what is the framework's own. */
    private static final Pattern KEPT = Pattern.compile("[A-Z_]{1,24}|root|/q/[a-z/]{1,40}");

    @Produces
    @Singleton
    MeterFilter paths() {
        return MeterFilter.replaceTagValues("uri", PathTags::bounded);
    }

    static String bounded(String path) {
        Matcher ours = OURS.matcher(path);
        if (ours.matches()) {
            return ours.group(2) == null ? ours.group(1) : ours.group(1) + "/{id}";
        }
        return KEPT.matcher(path).matches() ? path : "other";
    }
}
