package io.meridian.stack.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Loopback interface, the only one the local stack listens on, and its free ports. */
public final class Loopback {
    public static final String HOST = "127.0.0.1";

    private static final int FIRST = 20_000;
    private static final int COUNT = 12_000;
    private static final int STRIDE = 331;
    private static final AtomicInteger NEXT =
            new AtomicInteger((int) (ProcessHandle.current().pid() * STRIDE % COUNT));

    private Loopback() {}

    public static InetSocketAddress at(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /**
     * Port on which nobody listens, each given once per process. Ports lie below the range from which systems pick the local port of
     * outgoing connections, so none is lost between being chosen here and being bound by a server; where the search begins depends on the
     * process, so that tests side by side do not race for the same ones. A port that a disabled fault proxy keeps bound is not given away
     * either.
     */
    public static int freePort() {
        return IntStream.generate(() -> FIRST + Math.floorMod(NEXT.getAndIncrement(), COUNT))
                .limit(COUNT)
                .filter(port -> isFree(port, false))
                .findFirst()
                .orElseThrow(() -> new StartFailure("No free port between " + FIRST + " and " + (FIRST + COUNT)));
    }

    /** Whether a server may listen there. Connections of an earlier server may linger; only a listener makes a port taken. */
    public static boolean isFree(int port) {
        return isFree(port, true);
    }

    private static boolean isFree(int port, boolean mayBeBound) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(mayBeBound);
            socket.bind(at(port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
