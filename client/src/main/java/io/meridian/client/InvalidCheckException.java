package io.meridian.client;

/** Refusal of a check that the limiter cannot read: an error of the caller, which no waiting or repeating mends. */
public final class InvalidCheckException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;

    InvalidCheckException(int status, String detail) {
        super(detail);
        this.status = status;
    }

    /** 400 or 422. */
    public int status() {
        return status;
    }
}
