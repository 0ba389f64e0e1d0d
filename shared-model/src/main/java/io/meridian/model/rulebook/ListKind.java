package io.meridian.model.rulebook;

/** The two lists. */
public enum ListKind {
    /** Exempt from every policy. */
    ALLOW,
    /** Refused outright; goes before the allow list. */
    DENY
}
