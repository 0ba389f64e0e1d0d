package io.meridian.model.algorithm;

import java.util.function.Supplier;

/** An assertion cheap enough to be made millions of times: its words are only put together when it fails. */
final class Claim {
    private Claim() {}

    static void that(boolean holds, Supplier<String> otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise.get());
        }
    }
}
