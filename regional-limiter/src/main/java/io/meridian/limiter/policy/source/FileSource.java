package io.meridian.limiter.policy.source;

import io.meridian.limiter.file.FollowedFile;
import io.meridian.limiter.file.RefusedFileException;
import io.meridian.limiter.policy.LiveRulebooks;
import io.meridian.limiter.policy.RuleOrigin;
import java.nio.file.Path;
import java.time.Duration;

/** Rules of a file, as it changes. */
final class FileSource implements AutoCloseable {
    private static final String KIND = "file";

    private final LiveRulebooks live;
    private final FollowedFile file;

    FileSource(Path path, LiveRulebooks live) {
        this.live = live;
        this.file = new FollowedFile("policies-file", path, Yaml.BYTES_MAX, new Rules());
    }

    /** Takes the file as it is now, and says whether that succeeded. */
    boolean load() {
        return file.load();
    }

    void follow(Duration interval) {
        file.follow(interval);
    }

    /** One look at the file. */
    void look() {
        file.look();
    }

    @Override
    public void close() {
        file.close();
    }

    private final class Rules implements FollowedFile.Taker {
        @Override
        public void take(byte[] bytes) throws RefusedFileException {
            live.replace(PolicyFile.read(bytes), RuleOrigin.FILE, true);
        }

        @Override
        public void refused(String reason) {
            live.refused(KIND, reason);
        }

        @Override
        public void inEffect() {
            live.confirm(RuleOrigin.FILE);
        }
    }
}
