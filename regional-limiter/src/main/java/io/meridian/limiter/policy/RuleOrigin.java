package io.meridian.limiter.policy;

import java.util.Locale;

/** Where a rulebook came from. */
public enum RuleOrigin {
    /** The file the limiter was told to follow. */
    FILE,
    /** The policies topic. */
    TOPIC,
    /** The last known good copy on disk. */
    COPY,
    /** The policies built into the limiter. */
    DEFAULTS;

    /** The name in metrics and health. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
