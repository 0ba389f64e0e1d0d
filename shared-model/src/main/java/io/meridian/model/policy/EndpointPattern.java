package io.meridian.model.policy;

import io.meridian.model.validation.Validator;
import java.util.List;

/**
 * A pattern over the segments of a path. {@code *} stands for one whole segment, as the last segment for one or more:
 * {@code /api/*} matches everything below {@code /api}, {@code /api/*}{@code /export} any export one level below it.
 * {@code *} alone matches every endpoint.
 *
 * @param segments derived from the text
 */
public record EndpointPattern(String text, List<String> segments) {
    public static final String WILDCARD = "*";
    public static final EndpointPattern EVERYTHING = new EndpointPattern(WILDCARD);
    static final int LENGTH_MAX = 512;

    public EndpointPattern(String text) {
        this(text, EndpointPath.segments(text));
    }

    public EndpointPattern {
        segments = List.copyOf(segments);
        new Validator()
                .require(
                        text.length() <= LENGTH_MAX,
                        "endpoint",
                        text,
                        "must have at most " + LENGTH_MAX + " characters")
                .require(text.equals(WILDCARD) || text.startsWith("/"), "endpoint", text, "must start with / or be *")
                .require(
                        text.chars().noneMatch(c -> c == '?' || c == '#' || c == ';'),
                        "endpoint",
                        text,
                        "must be a path, without query, fragment or parameters")
                .require(Validator.isPlain(text), "endpoint", text, "must be text without control characters")
                .require(
                        segments.stream().allMatch(s -> s.equals(WILDCARD) || !s.contains(WILDCARD)),
                        "endpoint",
                        text,
                        "must use * for whole segments only")
                .throwIfInvalid();
    }

    /** Whether this pattern matches a path of these segments. */
    public boolean matches(List<String> path) {
        if (text.equals(WILDCARD)) {
            return true;
        }
        int last = segments.size() - 1;
        boolean open = last >= 0 && segments.get(last).equals(WILDCARD);
        if (open ? path.size() < segments.size() : path.size() != segments.size()) {
            return false;
        }
        for (int i = 0; i <= last; i++) {
            if (!segments.get(i).equals(WILDCARD) && !segments.get(i).equals(path.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** Whether this pattern matches every path that another pattern matches. */
    public boolean covers(EndpointPattern other) {
        if (text.equals(WILDCARD) || other.text.equals(WILDCARD)) {
            return text.equals(WILDCARD);
        }
        boolean open = isOpen();
        int size = segments.size();
        if (open ? other.segments.size() < size : other.isOpen() || other.segments.size() != size) {
            return false;
        }
        for (int i = 0; i < size; i++) {
            if (!segments.get(i).equals(WILDCARD) && !segments.get(i).equals(other.segments.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** Whether the last segment stands for one or more. */
    private boolean isOpen() {
        return !segments.isEmpty() && segments.get(segments.size() - 1).equals(WILDCARD);
    }

    @Override
    public String toString() {
        return text;
    }
}
