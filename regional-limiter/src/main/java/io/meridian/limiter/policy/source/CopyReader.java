package io.meridian.limiter.policy.source;

import io.meridian.limiter.file.RefusedFileException;
import io.meridian.limiter.policy.RuleSet;
import io.meridian.limiter.policy.RuleSetBuilder;
import io.meridian.limiter.policy.RulebookStatus;
import io.meridian.model.wire.EntryCodec;
import io.meridian.model.wire.WireException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Reads a copy of rules; one that is not exactly what was written is refused. */
final class CopyReader {
    static final long BYTES_MAX = 8L << 30;

    private final RuleSetBuilder builder = new RuleSetBuilder();
    private final CRC32C checksum = new CRC32C();
    private long lines;
    private long skipped;
    private long revision = RulebookStatus.NO_REVISION;

    private CopyReader() {}

    /**
     * What a copy says.
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
