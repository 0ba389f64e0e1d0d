package io.meridian.stack;

import java.time.Duration;

/** Is told how the start goes on, and what happens after. */
public interface Progress {
    void ready(String name, Duration took);

    /** Something worth knowing that stops nothing. */
    void told(String line);

    void died(String name, int exitCode);

    void stopping();
}
