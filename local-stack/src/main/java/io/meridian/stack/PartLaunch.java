package io.meridian.stack;

import java.util.function.Consumer;

/**
 * A part that can be started.
 *
 * @param starter returns when the part is ready, or throws and leaves nothing behind
 */
record PartLaunch(String name, Starter starter) {
    /** Starts one part, and tells of it as soon as it has a process. */
    @FunctionalInterface
    interface Starter {
        void start(Consumer<Part> forked);
    }
}
