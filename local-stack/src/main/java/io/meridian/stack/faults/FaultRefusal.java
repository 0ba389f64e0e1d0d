package io.meridian.stack.faults;

/** A request that cannot be met as things stand; the status is the one the HTTP API answers with. */
public final class FaultRefusal extends RuntimeException {
    private final int status;

    private FaultRefusal(int status, String message) {
        super(message);
        this.status = status;
    }

    public static FaultRefusal missing(String kind, String name) {
        return new FaultRefusal(404, kind + " not found: " + name);
    }

    static FaultRefusal taken(String kind, String name) {
        return new FaultRefusal(409, kind + " already exists: " + name);
    }

    static FaultRefusal full(String kind, int max) {
        return new FaultRefusal(409, "no more than " + max + " of " + kind);
    }

    public static FaultRefusal of(int status, String message) {
        return new FaultRefusal(status, message);
    }

    public int status() {
        return status;
    }
}
