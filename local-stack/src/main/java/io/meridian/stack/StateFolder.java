package io.meridian.stack;

import io.meridian.stack.plan.PartNames;
import io.meridian.stack.process.Folders;
import io.meridian.stack.process.StartFailure;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Folder of everything a stack leaves on disk: data, logs, secrets and the state file. */
public record StateFolder(Path root) {
    public StateFolder {
        root = root.toAbsolutePath().normalize();
    }

    Path data(String part) {
        return root.resolve("data").resolve(part);
    }

    public Path log(String name) {
        return logs().resolve(name + ".log");
    }

    public Path logs() {
        return root.resolve("logs");
    }

    Path stateFile() {
        return root.resolve("state.json");
    }

    Path lockFile() {
        return root.resolve("lock");
    }

    /** Plain text for the shell, which must not rebuild what is running. */
    Path pidFile() {
        return root.resolve("supervisor.pid");
    }

    public Path adminToken() {
        return root.resolve("admin-token");
    }

    /** Tokens of the limiters' callers; without the file everybody may call. */
    Path limiterTokens() {
        return root.resolve("limiter-tokens");
    }

    /** The secret under which the stack names counters: 32 hex digits. */
    public Path keySecret() {
        return root.resolve("key-secret");
    }

    /** Deletes what the parts of earlier runs have kept, and refuses where no earlier run has left its token. */
    void forgetData() throws IOException {
        List<Path> kept = kept();
        if (!kept.isEmpty() && !Files.exists(adminToken())) {
            throw new StartFailure(
                    "--fresh deletes nothing in " + root + ": no earlier run has left its admin-token" + " there, so "
                            + kept.get(0) + " may be another's. Delete it by hand, or choose another --state-dir.");
        }
        for (Path data : kept) {
            Folders.delete(data);
        }
    }

    private List<Path> kept() throws IOException {
        Path all = root.resolve("data");
        if (!Files.isDirectory(all)) {
            return List.of();
        }
        try (Stream<Path> folders = Files.list(all)) {
            return folders.filter(each -> PartNames.keepsData(each.getFileName().toString()))
                    .sorted()
                    .toList();
        }
    }

    /** Begins a new log and keeps the one before, so that logs do not grow from run to run. */
    public void beginLog(String name) throws IOException {
        Files.createDirectories(logs());
        if (Files.exists(log(name))) {
            Files.move(log(name), logs().resolve(name + ".previous.log"), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** Secrets of the local stack: random, made once and kept over restarts, readable by their owner alone. */
    static final class SecretFile {
        static final int ADMIN_TOKEN_BYTES = 32;
        static final int KEY_SECRET_BYTES = 16;

        private SecretFile() {}

        /** Makes the secrets that are not there yet. */
        static void ensureAll(StateFolder folder) throws IOException {
            ensure(folder.adminToken(), ADMIN_TOKEN_BYTES);
            ensure(folder.keySecret(), KEY_SECRET_BYTES);
        }

        private static void ensure(Path file, int bytes) throws IOException {
            if (Files.exists(file)) {
                return;
            }
            byte[] secret = new byte[bytes];
            new SecureRandom().nextBytes(secret);
            Path next = file.resolveSibling(file.getFileName() + ".next");
            Files.deleteIfExists(next);
            Files.createFile(next, PosixFilePermissions.asFileAttribute(Folders.OWNER_ONLY));
            Files.writeString(next, HexFormat.of().formatHex(secret) + "\n");
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** Lock that the one supervisor of a state folder holds. The system releases it however that process ends. */
    static final class RunLock implements AutoCloseable {
        private final FileChannel channel;

        private RunLock(FileChannel channel) {
            this.channel = channel;
        }

        static Optional<RunLock> tryAcquire(StateFolder folder) throws IOException {
            Files.createDirectories(folder.root());
            FileChannel channel =
                    FileChannel.open(folder.lockFile(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
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
}
