package io.meridian.stack.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.Optional;

/** One direction of a connection: a reader fills the delay line, a writer empties it. */
final class Pipe {
    /** What one read takes in, and so the grain of a bandwidth. */
    static final int READ_BYTES_MAX = 16 * 1024;

    private final Direction direction;
    private final Socket from;
    private final Socket to;
    private final Chance chance;
    private final DelayLine line;
    private final Fuses fuses;

    Pipe(Direction direction, Socket from, Socket to, Chance chance, LinkSettings settings, Fuses fuses) {
        this.direction = direction;
        this.from = from;
        this.to = to;
        this.chance = chance;
        this.fuses = fuses;
        this.line = new DelayLine(
                settings.time(), chance.jitter(direction), Conditions.of(ToxicChain.NONE, direction, chance));
    }

    Direction direction() {
        return direction;
    }

    /** Puts a chain in force; false where that swallowed the end of the stream, so that no writer will ever pass it on. */
    boolean apply(ToxicChain chain) {
        Conditions next = Conditions.of(chain, direction, chance);
        // The fuses first: a connection that a vanished fault leaves with a gap must end before the next byte can pass.
        fuses.change(next.swallowing());
        return line.change(next);
    }

    /** Reads to the end of the stream; false where the end itself was swallowed. */
    boolean readAll() throws IOException, InterruptedException {
        InputStream in = from.getInputStream();
        byte[] buffer = new byte[READ_BYTES_MAX];
        for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
            line.put(Arrays.copyOf(buffer, length));
        }
        return line.putEnd();
    }

    /** Writes to the end of the stream and passes the half-close on. */
    void writeAll() throws IOException, InterruptedException {
        OutputStream out = to.getOutputStream();
        for (Optional<Chunk> next = line.take(); next.isPresent(); next = line.take()) {
            if (next.get().isEnd()) {
                to.shutdownOutput();
                return;
            }
            out.write(next.get().bytes());
        }
    }

    void stop() {
        line.close();
        fuses.putOut();
    }
}
