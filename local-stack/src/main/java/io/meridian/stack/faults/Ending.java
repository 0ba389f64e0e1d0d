package io.meridian.stack.faults;

import java.io.IOException;
import java.net.Socket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How a connection is ended. */
public enum Ending {
    /** Both peers read the end of the stream. */
    CLOSE,
    /** Both peers get a TCP reset; what was not yet delivered is dropped. */
    RESET;

    private static final Logger LOG = LoggerFactory.getLogger(Ending.class);

    void end(Socket socket) {
        try (socket) {
            if (this == RESET) {
                // A close with a linger of zero is how a socket sends a reset.
                socket.setSoLinger(true, 0);
            }
        } catch (IOException alreadyBroken) {
            LOG.debug("socket was broken before it was ended: {}", alreadyBroken.toString());
        }
    }
}
