package io.meridian.limiter.file;

import java.io.Serial;

/** A file that is not taken; the message names every place that is wrong, as far as it is of use. */
public final class RefusedFileException extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    public RefusedFileException(String reason) {
        super(reason);
    }
}
