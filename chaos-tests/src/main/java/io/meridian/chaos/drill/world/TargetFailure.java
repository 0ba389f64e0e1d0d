package io.meridian.chaos.drill.world;

/** A target that is not there, or cannot do what a drill asks for; the message says so to a user. */
public final class TargetFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TargetFailure(String message) {
        super(message);
    }
}
