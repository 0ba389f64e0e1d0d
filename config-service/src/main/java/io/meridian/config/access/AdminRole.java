package io.meridian.config.access;

/** Roles of callers; each includes those before it, but none includes the first. */
public enum AdminRole {
    /** Reads and changes the policies of one tenant, and calls nothing else. */
    TENANT_ADMIN,
    /** Reads. */
    VIEWER,
    /** Also changes. */
    EDITOR,
    /** Also manages tokens. */
    ADMIN;

    public boolean covers(AdminRole needed) {
        return this == needed || (needed != TENANT_ADMIN && compareTo(needed) > 0);
    }
}
