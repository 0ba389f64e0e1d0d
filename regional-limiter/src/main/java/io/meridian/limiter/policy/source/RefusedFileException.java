package io.meridian.limiter.policy.source;

import java.io.Serial;

/** A file that is not taken; the message names every place that is wrong, as far as it is of use. */
final class RefusedFileException extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    RefusedFileException(String reason) {
        super(reason);
    }
}
