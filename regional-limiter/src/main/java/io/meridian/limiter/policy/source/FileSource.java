package io.meridian.limiter.policy.source;

import io.meridian.limiter.policy.LiveRulebooks;
import io.meridian.limiter.policy.RuleOrigin;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;

/**
 * Follows a file. It is looked at rather than watched: that costs next to nothing and sees every way a file is replaced. A
 * change is taken when the file looked the same twice, so that one in the middle of being written is not; what cannot be
 * taken leaves in effect what was.
 */
final class FileSource implements AutoCloseable {
    private static final String KIND = "file";
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

    private final Path file;
    private final LiveRulebooks live;
    private final PeriodicTask task;
    private FileStamp seen = FileStamp.MISSING;
    private FileStamp handled = new FileStamp("none yet", 0, 0);
    private String good = "";
    private String refused = "";

    FileSource(Path file, LiveRulebooks live) {
        this.file = file;
        this.live = live;
        this.task = new PeriodicTask("policies-file", this::look);
    }

    /** Takes the file as it is now, and says whether that succeeded. */
    boolean load() {
        seen = FileStamp.of(file);
        handle(seen);
        return isGood();
    }

    void follow(Duration interval) {
        task.every(interval);
    }

    /** One look at the file. */
    void look() {
        FileStamp now = FileStamp.of(file);
        boolean settled = now.equals(seen);
        seen = now;
        if (settled && !now.equals(handled)) {
            handle(now);
        } else if (settled && isGood()) {
            live.confirm(RuleOrigin.FILE);
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
                live.replace(PolicyFile.read(bytes), RuleOrigin.FILE, true);
            }
            good = digest;
            refused = "";
        } catch (RefusedFileException wrong) {
            refuse(digest, String.valueOf(wrong.getMessage()));
        }
    }

    /** Each wrong content is told once. */
    private void refuse(String what, String reason) {
        if (!refused.equals(what)) {
            refused = what;
            live.refused(KIND, file + ": " + reason);
        }
    }

    private byte[] read() throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(Yaml.BYTES_MAX + 1);
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
}
