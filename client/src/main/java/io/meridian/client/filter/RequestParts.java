package io.meridian.client.filter;

import java.util.regex.Pattern;

/**
 * Parts of a request in the form that a check takes. Servers route by the path without its parameters, so {@code /export;x=1} must be
 * checked as {@code /export}.
 */
final class RequestParts {
    private static final Pattern PATH_PARAMETERS = Pattern.compile(";[^/]*");

    private RequestParts() {}

    /** The path without parameters. */
    static String path(String rawPath) {
        return rawPath.indexOf(';') < 0
                ? rawPath
                : PATH_PARAMETERS.matcher(rawPath).replaceAll("");
    }

    /** The address without the brackets and the zone that some servers write around an IPv6 address. */
    static String address(String text) {
        String bare = text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
        int zone = bare.indexOf('%');
        return zone < 0 ? bare : bare.substring(0, zone);
    }
}
