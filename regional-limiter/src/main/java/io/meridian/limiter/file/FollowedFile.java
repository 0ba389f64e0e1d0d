package io.meridian.limiter.file;

import java.io.IOException;
import java.io.InputStream;
import java.io.Serial;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;

/**
 * File whose changes are taken while the process runs. It is looked at rather than watched: that costs next to nothing and sees
 * every way a file is replaced. A change is taken when the file looked the same twice, so that one in the middle of being written
 * is not; what cannot be taken leaves in effect what was.
 */
public final class FollowedFile implements AutoCloseable {
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

    private final Path file;
    private final int bytesMax;
    private final Taker taker;
    private final PeriodicTask task;
    private FileStamp seen = FileStamp.MISSING;
    private FileStamp handled = new FileStamp("none yet", 0, 0);
    private String good = "";
    private String refused = "";

    /** Receiver of the file's content. */
    public interface Taker {
        /** Brings new content into effect, or refuses it and changes nothing. It has one byte more than may be if it is too large. */
        void take(byte[] bytes) throws RefusedFileException;

        /** The file as it is now is not in effect; told once for each content. */
        void refused(String reason);

        /** The file as it is now is in effect. */
        void inEffect();
    }

    /** @param bytesMax how much of the file is read, but for one byte more */
    public FollowedFile(String name, Path file, int bytesMax, Taker taker) {
        this.file = file;
        this.bytesMax = bytesMax;
        this.taker = taker;
        this.task = new PeriodicTask(name, this::look);
    }

    /** Takes the file as it is now, and says whether that succeeded. */
    public boolean load() {
        seen = FileStamp.of(file);
        handle(seen);
        return isGood();
    }

    public void follow(Duration interval) {
        task.every(interval);
    }

    /** One look at the file. */
    public void look() {
        FileStamp now = FileStamp.of(file);
        boolean settled = now.equals(seen);
        seen = now;
        if (settled && !now.equals(handled)) {
            handle(now);
        } else if (settled && isGood()) {
            taker.inEffect();
        }
    }

    private boolean isGood() {
        return refused.isEmpty() && !good.isEmpty();
    }

    private void handle(FileStamp stamp) {
        try {
            byte[] bytes = read();
            take(bytes, digest(bytes));
            if (FileStamp.of(file).equals(stamp)) {
                handled = stamp;
            }
        } catch (IOException unreadable) {
            handled = stamp;
            refuse("unreadable", "cannot be read: " + unreadable);
        }
    }

    private void take(byte[] bytes, String digest) {
        try {
            if (!digest.equals(good)) {
                taker.take(bytes);
            }
            good = digest;
            refused = "";
        } catch (RefusedFileException wrong) {
            refuse(digest, String.valueOf(wrong.getMessage()));
        }
    }

    private void refuse(String what, String reason) {
        if (!refused.equals(what)) {
            refused = what;
            taker.refused(file + ": " + reason);
        }
    }

    private byte[] read() throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(bytesMax + 1);
        }
    }

    private static String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public void close() {
        task.close(CLOSE_TIMEOUT);
    }

    /**
     * Attributes by which a changed file is noticed: changed in place, by a rename over it, or by a link that now leads elsewhere.
     *
     * @param identity the file itself, where the file system can tell
     */
    record FileStamp(String identity, long modifiedNanos, long size) {
        static final FileStamp MISSING = new FileStamp("", 0, -1);

        public static FileStamp of(Path file) {
            try {
                BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
                return new FileStamp(
                        String.valueOf(attributes.fileKey()),
                        attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS),
                        attributes.size());
            } catch (IOException absent) {
                return MISSING;
            }
        }
    }

    /** Refusal of a file; the message names every place that is wrong, as far as it is of use. */
    public static final class RefusedFileException extends Exception {
        @Serial
        private static final long serialVersionUID = 1;

        public RefusedFileException(String reason) {
            super(reason);
        }
    }
}
