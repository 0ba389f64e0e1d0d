package io.meridian.stack.process;

import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Modes of the files the stack writes. */
public final class Permissions {
    public static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    public static final Set<PosixFilePermission> OWNER_RUNS = PosixFilePermissions.fromString("rwx------");

    private Permissions() {}
}
