package io.meridian.stack.servers;

import io.meridian.stack.process.CacheFolder;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/** PostgreSQL's own programs, unpacked from the jar that the build chose for this kind of machine. */
final class PostgresBinaries {
    private static final int OWNER_MAY_RUN = 0100;

    private PostgresBinaries() {}

    static Path home() throws IOException {
        String archive = "/postgres-%s-%s.txz".formatted(Machine.system(), Machine.isArm() ? "arm_64" : "x86_64");
        return CacheFolder.ofUser().unpacked(PostgresBinaries.class, archive, PostgresBinaries::unpack);
    }

    private static void unpack(InputStream txz, Path target) throws IOException {
        try (TarArchiveInputStream tar =
                new TarArchiveInputStream(new XZCompressorInputStream(new BufferedInputStream(txz)))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                unpackEntry(tar, entry, within(target, entry.getName()));
            }
        }
    }

    private static void unpackEntry(TarArchiveInputStream tar, TarArchiveEntry entry, Path file) throws IOException {
        if (entry.isDirectory()) {
            Files.createDirectories(file);
            return;
        }
        Files.createDirectories(file.getParent());
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
            return;
        }
        Files.copy(tar, file);
        if ((entry.getMode() & OWNER_MAY_RUN) != 0 && !file.toFile().setExecutable(true, true)) {
            throw new IOException("cannot make " + file + " executable");
        }
    }

    private static Path within(Path target, String name) throws IOException {
        Path file = target.resolve(name).normalize();
        if (!file.startsWith(target)) {
            throw new IOException("archive entry leaves its folder: " + name);
        }
        return file;
    }
}
