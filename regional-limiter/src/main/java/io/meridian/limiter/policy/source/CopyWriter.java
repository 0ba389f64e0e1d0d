package io.meridian.limiter.policy.source;

import io.meridian.limiter.policy.RuleEntries;
import io.meridian.limiter.policy.RuleSet;
import io.meridian.limiter.policy.RulebookStatus;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.wire.EntryCodec;
import java.io.BufferedOutputStream;
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
import java.util.zip.CRC32C;

/**
 * Writes a copy of rules: a line that says when they held, one with their revision, a line per entry as its topic record, and a line with the
 * number and checksum of what stands before it. The copy appears whole or not at all.
 */
final class CopyWriter {
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

    private static void writeDraft(Path draft, RuleSet rules, long confirmedMicros, long revision) throws IOException {
        try (FileChannel channel = FileChannel.open(
                        draft,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE);
                OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER_BYTES)) {
            CopyWriter copy = new CopyWriter(out);
            copy.line(HEADER + confirmedMicros);
            if (revision != RulebookStatus.NO_REVISION) {
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
