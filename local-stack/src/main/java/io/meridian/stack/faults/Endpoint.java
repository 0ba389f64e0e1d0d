package io.meridian.stack.faults;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** A host and a port as they stand in a configuration; the name is looked up when it is used. */
record Endpoint(String host, int port) {
    private static final int HOST_LENGTH_MAX = 253;
    private static final int PORT_MAX = 65_535;

    Endpoint {
        if (host.isBlank() || host.length() > HOST_LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "host must have 1 to " + HOST_LENGTH_MAX + " characters, got \"" + host + "\"");
        }
        if (port < 0 || port > PORT_MAX) {
            throw new IllegalArgumentException("port must be between 0 and " + PORT_MAX + ", got " + port);
        }
    }

    static Endpoint of(InetSocketAddress address) {
        return new Endpoint(address.getHostString(), address.getPort());
    }

    /** Reads host:port, an IPv6 address in brackets. */
    static Endpoint parse(String field, String text) {
        int colon = text.lastIndexOf(':');
        try {
            String host = text.substring(0, Math.max(0, colon));
            boolean bracketed = host.startsWith("[") && host.endsWith("]");
            return new Endpoint(
                    bracketed ? host.substring(1, host.length() - 1) : host,
                    Integer.parseInt(text.substring(colon + 1)));
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException(field + " must be host:port, got \"" + text + "\"", malformed);
        }
    }

    InetSocketAddress resolve() throws UnknownHostException {
        return new InetSocketAddress(InetAddress.getAllByName(host)[0], port);
    }

    /** The address to listen on: this machine's own, because a proxy that cuts links is no service for a network. */
    InetSocketAddress requireLoopback() {
        try {
            InetSocketAddress address = resolve();
            if (address.getAddress().isLoopbackAddress()) {
                return address;
            }
        } catch (UnknownHostException unknown) {
            throw new IllegalArgumentException("listen must name a known host, got " + this, unknown);
        }
        throw new IllegalArgumentException("listen must be a loopback address, got " + this);
    }

    Endpoint requirePort(String field) {
        if (port == 0) {
            throw new IllegalArgumentException(field + " must have a port, got " + this);
        }
        return this;
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
