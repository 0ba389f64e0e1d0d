package io.meridian.config.access;

/**
 * Who calls.
 *
 * @param name what the audit trail calls it; never the token
 */
public record Caller(String name, Role role) {}
