package io.meridian.stack.process;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/** The only interface the local stack listens on. */
public final class Loopback {
    public static final String HOST = "127.0.0.1";

    private Loopback() {}

    public static InetSocketAddress at(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }
}
