package io.meridian.stack.servers;

import com.sun.security.auth.module.UnixSystem;
import java.util.Locale;

/** The kind of machine this runs on. */
final class Machine {
    private Machine() {}

    /** As the binaries' file names spell it. */
    static String system() {
        String name = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        return name.contains("mac") ? "darwin" : name;
    }

    static boolean isArm() {
        return System.getProperty("os.arch").equals("aarch64");
    }

    static boolean isRoot() {
        return new UnixSystem().getUid() == 0;
    }
}
