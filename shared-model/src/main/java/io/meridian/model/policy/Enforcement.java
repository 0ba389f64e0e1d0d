package io.meridian.model.policy;

import io.meridian.model.rule.Rules;

/**
 * What a policy does with its answer.
 *
 * @param softLimitPercent the share of the limit from which on an answer warns; 0 for never
 */
public record Enforcement(Action action, int softLimitPercent, OnFailure onFailure, boolean adaptive) {
    public static final Enforcement REJECT = new Enforcement(Action.REJECT, 0, OnFailure.LOCAL, false);

    public Enforcement {
        new Rules()
                .require(
                        softLimitPercent >= 0 && softLimitPercent <= 100,
                        "soft_limit_percent",
                        softLimitPercent,
                        "must be from 0 (never warn) to 100")
                .throwIfBroken();
    }

    /** Whether a check must not be answered when this policy cannot be decided; a shadow never stands in the way. */
    public boolean failsClosed() {
        return onFailure == OnFailure.CLOSED && !isShadow();
    }

    public boolean isShadow() {
        return action == Action.LOG_ONLY;
    }
}
