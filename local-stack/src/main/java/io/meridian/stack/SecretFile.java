package io.meridian.stack;

import io.meridian.stack.process.Permissions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;

/** A secret of the local stack: random, made once and kept over restarts, for its owner's eyes only. */
final class SecretFile {
    static final int ADMIN_TOKEN_BYTES = 32;
    static final int KEY_SECRET_BYTES = 16;

    private SecretFile() {}

    /** Makes the secrets that are not there yet. */
    static void ensureAll(StateFolder folder) throws IOException {
        ensure(folder.adminToken(), ADMIN_TOKEN_BYTES);
        ensure(folder.keySecret(), KEY_SECRET_BYTES);
    }

    private static void ensure(Path file, int bytes) throws IOException {
        if (Files.exists(file)) {
            return;
        }
        byte[] secret = new byte[bytes];
        new SecureRandom().nextBytes(secret);
        Path next = file.resolveSibling(file.getFileName() + ".next");
        Files.deleteIfExists(next);
        Files.createFile(next, PosixFilePermissions.asFileAttribute(Permissions.OWNER_ONLY));
        Files.writeString(next, HexFormat.of().formatHex(secret) + "\n");
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
