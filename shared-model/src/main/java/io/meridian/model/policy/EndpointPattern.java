package io.meridian.model.policy;

import io.meridian.model.rule.Rules;
import java.util.ArrayList;
import java.util.List;

/**
 * A pattern over the segments of a path. {@code *} stands for one whole segment, as the last segment for one or more:
 * {@code /api/*} matches everything below {@code /api}, {@code /api/*}{@code /export} any export one level below it.
 * {@code *} alone matches every endpoint.
 */
public record EndpointPattern(String text) {
    public static final String WILDCARD = "*";
    static final int LENGTH_MAX = 512;

    public EndpointPattern {
        new Rules()
                .require(
                        text.length() <= LENGTH_MAX,
                        "endpoint",
                        text,
                        "must have at most " + LENGTH_MAX + " characters")
                .require(text.equals(WILDCARD) || text.startsWith("/"), "endpoint", text, "must start with / or be *")
                .require(
                        text.chars().noneMatch(c -> c == '?' || c == '#'),
                        "endpoint",
                        text,
                        "must be a path, without query or fragment")
                .require(
                        text.chars().noneMatch(Character::isISOControl),
                        "endpoint",
                        text,
                        "must not contain control characters")
                .require(
                        segments(text).stream().allMatch(s -> s.equals(WILDCARD) || !s.contains(WILDCARD)),
                        "endpoint",
                        text,
                        "must use * for whole segments only")
                .throwIfBroken();
    }

    /** Whether this pattern matches a path, segment by segment. */
    public boolean matches(String path) {
        List<String> wanted = segments(text);
        List<String> given = segments(path);
        if (text.equals(WILDCARD)) {
            return true;
        }
        int last = wanted.size() - 1;
        boolean open = last >= 0 && wanted.get(last).equals(WILDCARD);
        if (open ? given.size() < wanted.size() : given.size() != wanted.size()) {
            return false;
        }
        for (int i = 0; i <= last; i++) {
            if (!wanted.get(i).equals(WILDCARD) && !wanted.get(i).equals(given.get(i))) {
                return false;
            }
        }
        return true;
    }

    public List<String> segments() {
        return segments(text);
    }

    /** The segments of a path. Empty ones do not count, so that doubled and trailing slashes evade no limit. */
    public static List<String> segments(String path) {
        List<String> segments = new ArrayList<>();
        for (String segment : path.split("/", -1)) {
            if (!segment.isEmpty()) {
                segments.add(segment);
            }
        }
        return segments;
    }

    /** A path without the slashes that do not count: the text under which its requests are counted. */
    public static String normalized(String path) {
        boolean plain = path.startsWith("/") && path.indexOf("//") < 0 && (path.length() == 1 || !path.endsWith("/"));
        return plain ? path : "/" + String.join("/", segments(path));
    }

    @Override
    public String toString() {
        return text;
    }
}
