package io.meridian.model.policy;

import java.util.ArrayList;
import java.util.List;

/**
 * The path of an endpoint, cut into segments in one canonical way, so that no spelling of a path evades its limits: query,
 * fragment, empty segments and segment parameters ({@code ;v=1}) do not count, {@code .} and {@code ..} are resolved, and
 * characters that need no encoding are decoded. Upper and lower case differ, as in URLs.
 */
public final class EndpointPath {
    private EndpointPath() {}

    public static List<String> segments(String path) {
        List<String> segments = new ArrayList<>();
        int end = end(path);
        int start = 0;
        while (start < end) {
            int slash = path.indexOf('/', start);
            int next = slash < 0 || slash > end ? end : slash;
            add(segments, path.substring(start, next));
            start = next + 1;
        }
        return segments;
    }

    /** The canonical text of these segments. */
    public static String text(List<String> segments) {
        return "/" + String.join("/", segments);
    }

    private static int end(String path) {
        for (int i = 0; i < path.length(); i++) {
            if (path.charAt(i) == '?' || path.charAt(i) == '#') {
                return i;
            }
        }
        return path.length();
    }

    private static void add(List<String> segments, String raw) {
        int parameters = raw.indexOf(';');
        String segment = decoded(parameters < 0 ? raw : raw.substring(0, parameters));
        if (segment.equals("..")) {
            if (!segments.isEmpty()) {
                segments.remove(segments.size() - 1);
            }
        } else if (!segment.isEmpty() && !segment.equals(".")) {
            segments.add(segment);
        }
    }

    /** Decodes what may stand for itself and leaves the rest encoded, in one spelling. */
    private static String decoded(String segment) {
        if (segment.indexOf('%') < 0) {
            return segment;
        }
        StringBuilder text = new StringBuilder(segment.length());
        for (int i = 0; i < segment.length(); i++) {
            int code = segment.charAt(i) == '%' ? hex(segment, i + 1) : -1;
            if (code < 0) {
                text.append(segment.charAt(i));
            } else if (isUnreserved(code)) {
                text.append((char) code);
                i += 2;
            } else {
                text.append('%').append(Character.forDigit(code >> 4, 16)).append(Character.forDigit(code & 15, 16));
                i += 2;
            }
        }
        return text.toString();
    }

    private static int hex(String text, int from) {
        if (from + 2 > text.length()) {
            return -1;
        }
        int high = Character.digit(text.charAt(from), 16);
        int low = Character.digit(text.charAt(from + 1), 16);
        return high < 0 || low < 0 ? -1 : high << 4 | low;
    }

    private static boolean isUnreserved(int code) {
        return (code >= 'a' && code <= 'z')
                || (code >= 'A' && code <= 'Z')
                || (code >= '0' && code <= '9')
                || code == '-'
                || code == '.'
                || code == '_'
                || code == '~';
    }
}
