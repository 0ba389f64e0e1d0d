package io.meridian.limiter.metrics;

/** Where the rulebook in use came from. */
public enum RulebookSource {
    FILE,
    TOPIC,
    LAST_KNOWN_GOOD,
    BUILT_IN
}
