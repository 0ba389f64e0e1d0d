package io.meridian.model.policy;

/** What a limit does while its region cannot count. */
public enum OnFailure {
    LOCAL,
    OPEN,
    CLOSED
}
