package io.meridian.config.access;

/** Roles of callers; each includes those before it. */
public enum Role {
    /** Reads. */
    VIEWER,
    /** Also changes. */
    EDITOR,
    /** Also manages tokens. */
    ADMIN;

    public boolean covers(Role needed) {
        return compareTo(needed) >= 0;
    }
}
