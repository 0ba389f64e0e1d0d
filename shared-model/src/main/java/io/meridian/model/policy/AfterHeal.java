package io.meridian.model.policy;

/** What becomes of what was admitted above a global limit during a partition. */
public enum AfterHeal {
    FORGIVE,
    CARRY,
    CAP
}
