package io.meridian.model.policy;

/** How regions share a global limit. */
public enum Mode {
    /** Each region admits by what it knows of the others: fast, and above the limit by at most the stated bound. */
    CONVERGE,
    /** Each region spends only what it was granted: never above the limit, in any execution. */
    ESCROW
}
