package io.meridian.model.policy;

/** What happens to a request above the limit. */
public enum Action {
    REJECT,
    /** Refused with the exact time to wait. */
    THROTTLE,
    /** Admitted and recorded: the policy runs in the shadow. */
    LOG_ONLY
}
