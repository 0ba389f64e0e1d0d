package io.meridian.limiter.operations;

import io.meridian.limiter.decide.CheckResult;
import io.meridian.model.match.Check;
import org.jspecify.annotations.Nullable;

/** Port to the audit trail of resets and refunds that callers ask for. */
public interface OperationTrail {
    /** Tells nobody. */
    OperationTrail NONE = operation -> {};

    /** Takes note of an operation that was done or failed. Never waits and never fails. */
    void add(Entry operation);

    /** Kinds of operations. */
    enum Kind {
        REFUND,
        RESET
    }

    /**
     * A reset or a refund.
     *
     * @param caller the name of the caller's token
     * @param requestId the caller's name for its request, null if it gave none
     * @param ruling the limits as they then stand, null if the operation failed
     */
    record Entry(
            Kind kind,
            String caller,
            Check check,
            @Nullable String requestId,
            @Nullable CheckResult ruling) {}
}
