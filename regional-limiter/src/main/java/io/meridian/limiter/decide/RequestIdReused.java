package io.meridian.limiter.decide;

import java.io.Serial;

/** A request id that another check used a short time ago. Carries no stack trace: a flood of them is bad input like any other. */
public final class RequestIdReused extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    private final String requestId;

    RequestIdReused(String requestId) {
        super("request id " + requestId + " was used for another check", null, false, false);
        this.requestId = requestId;
    }

    public String requestId() {
        return requestId;
    }
}
