package io.meridian.stack.run;

import io.meridian.stack.process.Permissions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;

/** The token of the local stack's first admin: random, made once, for its owner's eyes only. */
final class AdminToken {
    private static final int BYTES = 32;

    private AdminToken() {}

    static Path ensure(StateFolder folder) throws IOException {
        Path token = folder.adminToken();
        if (Files.exists(token)) {
            return token;
        }
        byte[] secret = new byte[BYTES];
        new SecureRandom().nextBytes(secret);
        Path next = folder.root().resolve("admin-token.next");
        Files.deleteIfExists(next);
        Files.createFile(next, PosixFilePermissions.asFileAttribute(Permissions.OWNER_ONLY));
        Files.writeString(next, HexFormat.of().formatHex(secret) + "\n");
        return Files.move(next, token, StandardCopyOption.ATOMIC_MOVE);
    }
}
