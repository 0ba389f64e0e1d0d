package io.meridian.infra.image;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/** An image as one file, in the form of {@code docker save}: a manifest, a configuration and layers. */
record ImageTar(Path file) {
    private static final Path TARGET = Path.of("target").toAbsolutePath();
    private static final Path SKIPPED = TARGET.resolve("image/SKIPPED");
    private static final ObjectMapper JSON = new ObjectMapper();

    /** In the order of a mode's bits, from the lowest. */
    private static final List<PosixFilePermission> BITS = List.of(
            PosixFilePermission.OTHERS_EXECUTE,
            PosixFilePermission.OTHERS_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.GROUP_EXECUTE,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.OWNER_EXECUTE,
            PosixFilePermission.OWNER_WRITE,
            PosixFilePermission.OWNER_READ);

    /** Why this machine has made none; read and said once. */
    private static final class Refusal {
        static final Optional<String> REASON = reason();

        private static Optional<String> reason() {
            if (!Files.exists(SKIPPED)) {
                return Optional.empty();
            }
            try {
                String reason = Files.readString(SKIPPED).strip();
                System.out.println("[images] SKIPPED: " + reason);
                return Optional.of(reason);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** The one that this build made. A machine on which none can be made skips the test and says why. */
    static ImageTar of(String service) {
        assumeTrue(Refusal.REASON.isEmpty(), Refusal.REASON.orElse(""));
        return new ImageTar(TARGET.resolve("images").resolve(service + ".tar"));
    }

    ImageConfig config() throws IOException {
        return ImageConfig.of(json(manifest().path("Config").asText()));
    }

    /** The digests of what is within its layers, the lowest first. */
    List<String> layers() throws IOException {
        List<String> digests = new ArrayList<>();
        json(manifest().path("Config").asText())
                .path("rootfs")
                .path("diff_ids")
                .forEach(digest -> digests.add(digest.asText()));
        return digests;
    }

    /** Puts its files under {@code root}, layer over layer, with their modes. */
    void unpack(Path root) throws IOException {
        for (JsonNode layer : manifest().path("Layers")) {
            try (TarArchiveInputStream outer = entry(layer.asText());
                    TarArchiveInputStream files = new TarArchiveInputStream(new GZIPInputStream(outer))) {
                for (TarArchiveEntry file = files.getNextEntry(); file != null; file = files.getNextEntry()) {
                    put(files, file, within(root, file.getName()));
                }
            }
        }
    }

    private static void put(TarArchiveInputStream files, TarArchiveEntry entry, Path file) throws IOException {
        if (entry.getLongUserId() != 0 || entry.getLongGroupId() != 0) {
            throw new IOException(file + " is not root's: whoever runs the image could change it");
        }
        if (entry.isDirectory()) {
            Files.createDirectories(file);
        } else if (entry.isFile()) {
            Files.createDirectories(file.getParent());
            Files.deleteIfExists(file);
            Files.copy(files, file);
        } else {
            throw new IOException(entry.getName() + " is neither a file nor a folder");
        }
        Files.setPosixFilePermissions(file, permissions(entry.getMode()));
    }

    private static Set<PosixFilePermission> permissions(int mode) {
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        for (int bit = 0; bit < BITS.size(); bit++) {
            if ((mode & (1 << bit)) != 0) {
                permissions.add(BITS.get(bit));
            }
        }
        return permissions;
    }

    private static Path within(Path root, String name) throws IOException {
        Path file = root.resolve(name).normalize();
        if (!file.startsWith(root) || Files.isSymbolicLink(file) || name.contains("/.wh.")) {
            throw new IOException("the image has an entry that is not expected of it: " + name);
        }
        if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS) && !name.endsWith("/")) {
            throw new IOException("the image has a file in the place of a folder: " + name);
        }
        return file;
    }

    private JsonNode manifest() throws IOException {
        return json("manifest.json").path(0);
    }

    private JsonNode json(String name) throws IOException {
        try (TarArchiveInputStream entry = entry(name)) {
            return JSON.readTree(entry.readAllBytes());
        }
    }

    private TarArchiveInputStream entry(String name) throws IOException {
        TarArchiveInputStream tar = new TarArchiveInputStream(new BufferedInputStream(Files.newInputStream(file)));
        for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
            if (entry.getName().equals(name)) {
                return tar;
            }
        }
        tar.close();
        throw new IOException(file + " has no " + name);
    }
}
