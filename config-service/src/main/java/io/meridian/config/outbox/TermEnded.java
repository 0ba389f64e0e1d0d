package io.meridian.config.outbox;

/** The turn to publish has become another replica's. */
final class TermEnded extends RuntimeException {
    private static final long serialVersionUID = 1;

    TermEnded() {
        super("another replica publishes");
    }
}
