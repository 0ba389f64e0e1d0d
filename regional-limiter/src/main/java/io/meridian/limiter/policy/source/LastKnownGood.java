package io.meridian.limiter.policy.source;

import io.meridian.limiter.file.PeriodicTask;
import io.meridian.limiter.file.RefusedFileException;
import io.meridian.limiter.policy.LiveRulebooks;
import io.meridian.limiter.policy.RuleOrigin;
import io.meridian.limiter.policy.RuleSet;
import io.meridian.limiter.policy.RulebookStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The copy on disk of the rules that were last in effect, for a start without their source. */
final class LastKnownGood implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(LastKnownGood.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);
    private static final String KIND = "copy";

    private final Path file;
    private final LiveRulebooks live;
    private final PeriodicTask task;
    private @Nullable RuleSet written;

    LastKnownGood(Path file, LiveRulebooks live) {
        this.file = file;
        this.live = live;
        this.task = new PeriodicTask("policies-copy", this::write);
    }

    /** Puts the copy into effect, and says whether there was one to trust. */
    boolean load() {
        if (!Files.exists(file)) {
            return false;
        }
        try {
            CopyReader.Copy copy = CopyReader.read(file);
            if (copy.skipped() > 0) {
                live.skipped(KIND, copy.skipped() + " entries of " + file + " are of another build");
            }
            live.replace(copy.rules(), RuleOrigin.COPY, false, copy.confirmedMicros(), copy.revision());
            written = live.rules();
            return true;
        } catch (RefusedFileException | IOException | RuntimeException unusable) {
            live.refused(KIND, file + ": " + unusable);
            return false;
        }
    }

    void keep(Duration interval) {
        task.every(interval);
    }

    /** Writes what is in effect, if it came from its source and is not what was written last. */
    @SuppressWarnings("ReferenceEquality") // what did not change is the same object
    synchronized void write() {
        RulebookStatus status = live.status();
        RuleSet rules = live.rules();
        boolean ofSource = status.origin() == RuleOrigin.FILE || status.origin() == RuleOrigin.TOPIC;
        if (!ofSource || rules == written) {
            return;
        }
        try {
            CopyWriter.write(file, rules, status.confirmedMicros(), status.revision());
            written = rules;
        } catch (IOException failed) {
            LOG.errorf("the last known good copy cannot be written: file=%s, reason=%s", file, failed);
        }
    }

    @Override
    public void close() {
        task.close(CLOSE_TIMEOUT);
        write();
    }
}
