package io.meridian.config.access;

/** What a caller may do; each may do what those before it may. */
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
