package io.meridian.limiter.metrics;

/** Why a call was not let in. */
public enum CallRefusal {
    /** It bore no token. */
    NO_TOKEN,
    /** Its token is none of this limiter. */
    WRONG_TOKEN,
    /** Its token is for other calls. */
    MISSING_SCOPE
}
