package io.meridian.stack;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** Held by the one supervisor of a state folder. The system lets go of it however that process ends. */
final class RunLock implements AutoCloseable {
    private final FileChannel channel;

    private RunLock(FileChannel channel) {
        this.channel = channel;
    }

    static Optional<RunLock> tryAcquire(StateFolder folder) throws IOException {
        Files.createDirectories(folder.root());
        FileChannel channel = FileChannel.open(folder.lockFile(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return Optional.of(new RunLock(channel));
            }
        } catch (OverlappingFileLockException e) {
            // Held by this very process.
        }
        channel.close();
        return Optional.empty();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
