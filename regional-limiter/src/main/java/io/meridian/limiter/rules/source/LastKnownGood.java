package io.meridian.limiter.rules.source;

import io.meridian.limiter.file.FollowedFile.RefusedFileException;
import io.meridian.limiter.file.PeriodicTask;
import io.meridian.limiter.rules.ActiveRules;
import io.meridian.limiter.rules.RuleSet;
import io.meridian.limiter.rules.RuleSet.RuleEntries;
import io.meridian.limiter.rules.RuleSet.RuleSetBuilder;
import io.meridian.limiter.rules.RulesInEffect.RuleOrigin;
import io.meridian.limiter.rules.RulesInEffect.RulesStatus;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.wire.EntryCodec;
import io.meridian.model.wire.WireException;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.zip.CRC32C;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Copy on disk of the rules that were last in effect, for a start without their source. */
final class LastKnownGood implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(LastKnownGood.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);
    private static final String KIND = "copy";

    private final Path file;
    private final ActiveRules live;
    private final PeriodicTask task;
    private @Nullable RuleSet written;

    LastKnownGood(Path file, ActiveRules live) {
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
        RulesStatus status = live.status();
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

    /** Reader of a copy of rules; one that is not exactly what was written is refused. */
    static final class CopyReader {
        static final long BYTES_MAX = 8L << 30;

        private final RuleSetBuilder builder = new RuleSetBuilder();
        private final CRC32C checksum = new CRC32C();
        private long lines;
        private long skipped;
        private long revision = RulesStatus.NO_REVISION;

        private CopyReader() {}

        /**
         * Content of a copy.
         *
         * @param skipped the entries that this build cannot read, though they are as they were written
         */
        record Copy(RuleSet rules, long confirmedMicros, long revision, long skipped) {}

        static Copy read(Path file) throws IOException, RefusedFileException {
            if (Files.size(file) > BYTES_MAX) {
                throw new RefusedFileException("must have at most " + BYTES_MAX + " bytes, got " + Files.size(file));
            }
            try (BufferedReader in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
                return new CopyReader().read(in);
            }
        }

        private Copy read(BufferedReader in) throws IOException, RefusedFileException {
            String header = in.readLine();
            if (header == null || !header.startsWith(CopyWriter.HEADER)) {
                throw new RefusedFileException("must begin with " + CopyWriter.HEADER);
            }
            note(header);
            String line = in.readLine();
            for (; line != null && !line.startsWith(CopyWriter.TRAILER); line = in.readLine()) {
                note(line);
                if (line.startsWith(CopyWriter.REVISION)) {
                    revision = Revisions.parse(line.substring(CopyWriter.REVISION.length()));
                } else {
                    entry(line);
                }
            }
            check(line);
            return new Copy(builder.publish(), confirmedMicros(header), revision, skipped);
        }

        private void note(String line) {
            checksum.update((line + "\n").getBytes(StandardCharsets.UTF_8));
            lines++;
        }

        private void entry(String line) {
            int tab = line.indexOf('\t');
            try {
                boolean taken =
                        tab >= 0 && builder.apply(EntryCodec.decode(line.substring(0, tab), line.substring(tab + 1)));
                skipped += taken ? 0 : 1;
            } catch (WireException unreadable) {
                skipped++;
            }
        }

        private void check(@Nullable String trailer) throws RefusedFileException {
            if (trailer == null) {
                throw new RefusedFileException("is cut off after " + lines + " lines");
            }
            String expected = CopyWriter.TRAILER + lines + " " + Long.toHexString(checksum.getValue());
            if (!trailer.equals(expected)) {
                throw new RefusedFileException("must end with " + expected + ", got " + trailer);
            }
        }

        private static long confirmedMicros(String header) throws RefusedFileException {
            try {
                return Long.parseLong(header.substring(CopyWriter.HEADER.length()));
            } catch (NumberFormatException malformed) {
                throw new RefusedFileException("must say when it held, got " + header);
            }
        }
    }

    /**
     * Writer of a copy of rules: a line with the time of the last confirmation, one with the revision, a line per entry as its
     * topic record, and a line with the number and checksum of what stands before it. The copy appears whole or not at all.
     */
    static final class CopyWriter {
        static final String HEADER = "meridian-policies 1 ";
        /** Before the revision; to a build that does not know it, an entry of a kind it does not know. */
        static final String REVISION = "revision\t";

        static final String TRAILER = "checksum ";
        private static final int BUFFER_BYTES = 1 << 16;

        private final OutputStream out;
        private final CRC32C checksum = new CRC32C();
        private long lines;

        private CopyWriter(OutputStream out) {
            this.out = out;
        }

        static void write(Path file, RuleSet rules, long confirmedMicros, long revision) throws IOException {
            Path target = file.toAbsolutePath();
            Path folder = target.resolveSibling("");
            Files.createDirectories(folder);
            Path draft = target.resolveSibling(target.getFileName() + ".draft");
            try {
                writeDraft(draft, rules, confirmedMicros, revision);
                Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(draft);
            }
            try (FileChannel entries = FileChannel.open(folder, StandardOpenOption.READ)) {
                entries.force(true);
            }
        }

        private static void writeDraft(Path draft, RuleSet rules, long confirmedMicros, long revision)
                throws IOException {
            try (FileChannel channel = FileChannel.open(
                            draft,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.TRUNCATE_EXISTING,
                            StandardOpenOption.WRITE);
                    OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER_BYTES)) {
                CopyWriter copy = new CopyWriter(out);
                copy.line(HEADER + confirmedMicros);
                if (revision != RulesStatus.NO_REVISION) {
                    copy.line(REVISION + revision);
                }
                RuleEntries.forEach(rules, copy::entry);
                copy.line(TRAILER + copy.lines + " " + Long.toHexString(copy.checksum.getValue()));
                out.flush();
                channel.force(true);
            } catch (UncheckedIOException failed) {
                throw failed.getCause();
            }
        }

        private void entry(RuleEntry entry) {
            try {
                line(EntryCodec.key(entry.key()) + "\t" + EntryCodec.value(entry));
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }

        private void line(String text) throws IOException {
            byte[] bytes = (text + "\n").getBytes(StandardCharsets.UTF_8);
            checksum.update(bytes);
            lines++;
            out.write(bytes);
        }
    }
}
