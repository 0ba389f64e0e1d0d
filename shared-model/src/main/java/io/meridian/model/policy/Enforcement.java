package io.meridian.model.policy;

import io.meridian.model.validation.Validator;

/**
 * Effect of a policy's decision on requests.
 *
 * @param softLimitPercent share of the limit from which on answers carry a warning; 0 for never
 */
public record Enforcement(Action action, int softLimitPercent, OnFailure onFailure, boolean adaptive) {
    public static final Enforcement REJECT = new Enforcement(Action.REJECT, 0, OnFailure.LOCAL, false);

    public Enforcement {
        new Validator()
                .require(
                        softLimitPercent >= 0 && softLimitPercent <= 100,
                        "soft_limit_percent",
                        softLimitPercent,
                        "must be from 0 (never warn) to 100")
                .throwIfInvalid();
    }

    /** Whether a check must not be answered when this policy cannot be decided; a shadow never stands in the way. */
    public boolean failsClosed() {
        return onFailure == OnFailure.CLOSED && !isShadow();
    }

    public boolean isShadow() {
        return action == Action.LOG_ONLY;
    }

    /** Effect on a request above the limit. */
    public enum Action {
        REJECT,
        /** Refused with the exact time to wait. */
        THROTTLE,
        /** Admitted and recorded: the policy runs in the shadow. */
        LOG_ONLY
    }

    /** Behaviour of a limit while its region cannot count. */
    public enum OnFailure {
        LOCAL,
        OPEN,
        CLOSED
    }
}
