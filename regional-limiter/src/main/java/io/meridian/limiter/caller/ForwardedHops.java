package io.meridian.limiter.caller;

import io.meridian.model.policy.IpAddress;
import io.meridian.model.validation.ValidationException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hops of {@code X-Forwarded-For} or {@code Forwarded} (RFC 7239), from the right. Every proxy appends, so the last hop is what the
 * nearest proxy wrote, and all that a client made up stands to the left of what proxies wrote. Nothing there is read, so that
 * an open quote in it hides no hop to its right. Several lines of the header are one list, in their order.
 */
final class ForwardedHops {
    /** Longer than any address with brackets, zone and port. */
    private static final int NODE_MAX = 100;

    private final List<String> lines;
    private final boolean quoted;
    private int line;
    /** The end of what is unread of the line; -1 if all of it is read. */
    private int end;

    /**
     * @param quoted whether a hop may have quoted strings, as in {@code Forwarded}
     */
    ForwardedHops(List<String> lines, boolean quoted) {
        this.lines = lines;
        this.quoted = quoted;
        this.line = lines.size();
        this.end = -1;
    }

    /** The next hop to the left; null if there is none. An empty one is a hop: skipping it would be to believe its left neighbour. */
    @Nullable String next() {
        if (end < 0) {
            if (line == 0) {
                return null;
            }
            line--;
            end = lines.get(line).length();
        }
        String text = lines.get(line);
        int comma = quoted ? commaOutsideQuotes(text, end) : text.lastIndexOf(',', end - 1);
        String hop = text.substring(comma + 1, end).strip();
        end = comma;
        return hop;
    }

    /** The last comma before {@code end} that is in no quoted string, read from the right; -1 if there is none. */
    private static int commaOutsideQuotes(String text, int end) {
        boolean within = false;
        for (int i = end - 1; i >= 0; i--) {
            char c = text.charAt(i);
            if (c == '"' && !(within && isEscaped(text, i))) {
                within = !within;
            } else if (c == ',' && !within) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isEscaped(String text, int at) {
        int start = at;
        while (start > 0 && text.charAt(start - 1) == '\\') {
            start--;
        }
        return (at - start) % 2 == 1;
    }

    /** The address of the {@code for} parameter of a hop of {@code Forwarded}; null if there is none, or more than one. */
    static @Nullable IpAddress forParameter(String hop) {
        String found = null;
        int start = 0;
        while (start < hop.length()) {
            int end = semicolonOutsideQuotes(hop, start);
            int equals = hop.indexOf('=', start);
            if (equals >= 0
                    && equals < end
                    && hop.substring(start, equals).strip().equalsIgnoreCase("for")) {
                if (found != null) {
                    return null;
                }
                found = unquoted(hop.substring(equals + 1, end).strip());
            }
            start = end + 1;
        }
        return found == null ? null : node(found);
    }

    private static int semicolonOutsideQuotes(String text, int start) {
        boolean within = false;
        for (int i = start; i < text.length(); i++) {
            char c = text.charAt(i);
            if (within && c == '\\') {
                i++;
            } else if (c == '"') {
                within = !within;
            } else if (c == ';' && !within) {
                return i;
            }
        }
        return text.length();
    }

    private static String unquoted(String value) {
        int last = value.length() - 1;
        if (last < 1 || value.charAt(0) != '"' || value.charAt(last) != '"') {
            return value;
        }
        StringBuilder text = new StringBuilder(last);
        for (int i = 1; i < last; i++) {
            if (value.charAt(i) == '\\' && i + 1 < last) {
                i++;
            }
            text.append(value.charAt(i));
        }
        return text.toString();
    }

    /** The address that a hop names, without port, brackets or zone; null if it is none, as {@code unknown} and {@code _hidden}. */
    static @Nullable IpAddress node(String node) {
        if (node.isEmpty() || node.length() > NODE_MAX) {
            return null;
        }
        char first = node.charAt(0);
        String text = node;
        if (first == '[') {
            int bracket = node.indexOf(']');
            boolean whole = bracket == node.length() - 1 || (bracket > 0 && node.charAt(bracket + 1) == ':');
            if (!whole) {
                return null;
            }
            text = node.substring(1, bracket);
        } else if (first != ':' && Character.digit(first, 16) < 0) {
            return null;
        } else {
            int colon = node.indexOf(':');
            if (colon >= 0 && colon == node.lastIndexOf(':')) {
                text = node.substring(0, colon);
            }
        }
        int zone = text.indexOf('%');
        return parsed(zone < 0 ? text : text.substring(0, zone));
    }

    private static @Nullable IpAddress parsed(String text) {
        try {
            return IpAddress.parse(text);
        } catch (ValidationException none) {
            return null;
        }
    }
}
