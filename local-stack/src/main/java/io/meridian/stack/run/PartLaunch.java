package io.meridian.stack.run;

/**
 * A part that can be started.
 *
 * @param starter returns when the part is ready, or throws and leaves nothing behind
 */
record PartLaunch(String name, Starter starter) {
    /** Starts one part. */
    @FunctionalInterface
    interface Starter {
        Part start();
    }
}
