package io.meridian.stack.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/**
 * Folder of binaries that were unpacked from jars, kept between runs. An entry is named by the hash of its source and appears whole: it is
 * filled under a temporary name and renamed, so processes that unpack at the same time do not see each other's half.
 */
public record CacheFolder(Path root) {
    private static final int HASH_DIGITS = 16;

    /** The one of this user: MERIDIAN_CACHE, else .cache/meridian at home. */
    public static CacheFolder ofUser() {
        return ofUser(System.getenv());
    }

    static CacheFolder ofUser(Map<String, String> environment) {
        // Not user.home: Java takes it from the user database, where service users have a home that does not exist.
        String home = named(environment, "HOME").orElseGet(() -> System.getProperty("user.home"));
        String root = named(environment, "MERIDIAN_CACHE").orElse(home + "/.cache/meridian");
        return new CacheFolder(Path.of(root).toAbsolutePath());
    }

    /** An empty name is none: it would be whatever folder the user stands in. */
    private static Optional<String> named(Map<String, String> environment, String variable) {
        return Optional.ofNullable(environment.get(variable)).filter(name -> !name.isEmpty());
    }

    /** Fills a folder from what it is unpacked from. */
    @FunctionalInterface
    public interface Unpacker {
        void unpack(InputStream source, Path target) throws IOException;
    }

    /** The folder with this resource unpacked. */
    public Path unpacked(Class<?> near, String resource, Unpacker unpacker) throws IOException {
        Path entry = root.resolve(entryName(near, resource));
        if (Files.isDirectory(entry)) {
            return entry;
        }
        Path filling = Files.createTempDirectory(writable(), "filling-");
        try (InputStream source = open(near, resource)) {
            unpacker.unpack(source, filling);
        } catch (IOException | RuntimeException e) {
            Folders.delete(filling);
            throw e;
        }
        return publish(filling, entry);
    }

    /** The resource as an executable file. */
    public Path file(Class<?> near, String resource) throws IOException {
        String fileName = Path.of(resource).getFileName().toString();
        return unpacked(near, resource, (source, target) -> {
                    Files.copy(source, target.resolve(fileName));
                    Files.setPosixFilePermissions(target.resolve(fileName), Folders.OWNER_RUNS);
                })
                .resolve(fileName);
    }

    private Path writable() {
        try {
            return Files.createDirectories(root);
        } catch (IOException e) {
            throw new StartFailure(
                    "The cache folder " + root + " cannot be made. Name another with MERIDIAN_CACHE=FOLDER.", e);
        }
    }

    private static Path publish(Path filling, Path entry) throws IOException {
        try {
            return Files.move(filling, entry, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            throw e;
        } catch (IOException e) {
            // Another process was faster; its entry has the same content.
            Folders.delete(filling);
            if (!Files.isDirectory(entry)) {
                throw e;
            }
            return entry;
        }
    }

    private static String entryName(Class<?> near, String resource) throws IOException {
        try (InputStream source = open(near, resource)) {
            DigestInputStream digest = new DigestInputStream(source, MessageDigest.getInstance("SHA-256"));
            digest.transferTo(OutputStream.nullOutputStream());
            String hash = HexFormat.of().formatHex(digest.getMessageDigest().digest());
            return Path.of(resource).getFileName() + "-" + hash.substring(0, HASH_DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new UncheckedIOException(new IOException(e));
        }
    }

    private static InputStream open(Class<?> near, String resource) {
        InputStream source = near.getResourceAsStream(resource);
        if (source == null) {
            throw new StartFailure(
                    "There are no binaries for this kind of machine: " + resource + " is not on the classpath");
        }
        return source;
    }
}
