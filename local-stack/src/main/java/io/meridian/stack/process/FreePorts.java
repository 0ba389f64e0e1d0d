package io.meridian.stack.process;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Ports that nobody listens on, each given once per process. They lie below the range from which systems pick the local port
 * of outgoing connections, so none is lost between being chosen here and being bound by a server; where the search begins
 * depends on the process, so that tests side by side do not race for the same ones. A port that a closed {@code Doorway} keeps bound is not
 * given away either.
 */
public final class FreePorts {
    private static final int FIRST = 20_000;
    private static final int COUNT = 12_000;
    private static final int STRIDE = 331;
    private static final AtomicInteger NEXT =
            new AtomicInteger((int) (ProcessHandle.current().pid() * STRIDE % COUNT));

    private FreePorts() {}

    public static int take() {
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
            socket.bind(Loopback.at(port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
