package io.meridian.config.ops;

import io.micrometer.core.instrument.config.MeterFilter;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Filter that reduces the tag uri of HTTP metrics to the collection. Otherwise each path that is refused before it is matched
 * would be a tag value of its own, and might contain a secret of its caller.
 */
@Singleton
class PathTags {
    private static final Pattern OURS = Pattern.compile("(/admin/api/v1/[a-z-]{1,24})(/.*)?");
    /** Values that stand for paths already, and the framework's own paths. */
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
