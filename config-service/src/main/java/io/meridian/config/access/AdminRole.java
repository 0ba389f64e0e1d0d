package io.meridian.config.access;

/** Roles of callers; each includes those before it. */
public enum AdminRole {
    /** Reads. */
    VIEWER,
    /** Also changes. */
    EDITOR,
    /** Also manages tokens. */
    ADMIN;

    public boolean covers(AdminRole needed) {
        return compareTo(needed) >= 0;
    }
}
