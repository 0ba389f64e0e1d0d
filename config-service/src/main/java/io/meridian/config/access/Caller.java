package io.meridian.config.access;

/**
 * Authenticated caller.
 *
 * @param name in the audit trail; never the token
 */
public record Caller(String name, Role role) {}
