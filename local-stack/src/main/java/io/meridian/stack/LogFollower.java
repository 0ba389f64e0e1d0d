package io.meridian.stack;

import java.io.IOException;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/** Shows what is added to a log. */
public final class LogFollower implements AutoCloseable {
    private static final int CHUNK_BYTES = 8 * 1024;

    private final RandomAccessFile file;

    public LogFollower(Path log) throws IOException {
        this.file = new RandomAccessFile(log.toFile(), "r");
    }

    /** Leaves out all but the last bytes, from the next whole line on. */
    public void skipToLast(long bytes) throws IOException {
        if (file.length() > bytes) {
            file.seek(file.length() - bytes);
            file.readLine();
        }
    }

    /** Shows what is there and was not shown before. */
    public void copyTo(PrintStream out) throws IOException {
        byte[] chunk = new byte[CHUNK_BYTES];
        for (int read = file.read(chunk); read > 0; read = file.read(chunk)) {
            out.write(chunk, 0, read);
        }
        out.flush();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
