package io.meridian.chaos.drill.report;

import java.io.IOException;
import java.nio.file.Path;

/** A file of history that this build cannot judge. The message says why, and what to do, to whoever named the file. */
public final class UnreadableHistory extends IOException {
    private static final long serialVersionUID = 1L;

    UnreadableHistory(String message) {
        super(message);
    }

    static UnreadableHistory ofVersion(Path file, int version, int wanted) {
        return new UnreadableHistory(
                "%s has version %d of the history format, and this build reads version %d. Run the drill again to get a report of version %d."
                        .formatted(file, version, wanted, wanted));
    }
}
