package io.meridian.limiter.api;

import io.meridian.model.policy.IpAddress;
import io.meridian.model.rule.InvalidException;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The address of whoever stands at the far end: the first hop of X-Forwarded-For or Forwarded (RFC 7239), else the peer. */
final class ForwardedAddress {
    private ForwardedAddress() {}

    static @Nullable String of(HttpServerRequest request) {
        String address = literal(first(request.getHeader("X-Forwarded-For")));
        if (address == null) {
            address = literal(forParameter(first(request.getHeader("Forwarded"))));
        }
        SocketAddress peer = address == null ? request.remoteAddress() : null;
        return peer == null ? address : literal(peer.hostAddress());
    }

    private static @Nullable String first(@Nullable String list) {
        if (list == null) {
            return null;
        }
        int comma = list.indexOf(',');
        return comma < 0 ? list : list.substring(0, comma);
    }

    /** The {@code for} of {@code for="[2001:db8::1]:4711";proto=https}. */
    static @Nullable String forParameter(@Nullable String hop) {
        int start = 0;
        while (hop != null && start < hop.length()) {
            int semicolon = hop.indexOf(';', start);
            int end = semicolon < 0 ? hop.length() : semicolon;
            String pair = hop.substring(start, end).strip();
            if (pair.toLowerCase(Locale.ROOT).startsWith("for=")) {
                return pair.substring(4).replace("\"", "");
            }
            start = end + 1;
        }
        return null;
    }

    /** The address without port, brackets or zone; null if it is none, as {@code unknown} and {@code _hidden}. */
    static @Nullable String literal(@Nullable String node) {
        String text = node == null ? "" : node.strip();
        if (text.startsWith("[")) {
            int bracket = text.indexOf(']');
            text = bracket < 0 ? "" : text.substring(1, bracket);
        } else if (text.indexOf(':') >= 0 && text.indexOf(':') == text.lastIndexOf(':')) {
            text = text.substring(0, text.indexOf(':'));
        }
        int zone = text.indexOf('%');
        text = zone < 0 ? text : text.substring(0, zone);
        if (text.isEmpty()) {
            return null;
        }
        try {
            return IpAddress.parse(text).toString();
        } catch (InvalidException none) {
            return null;
        }
    }
}
