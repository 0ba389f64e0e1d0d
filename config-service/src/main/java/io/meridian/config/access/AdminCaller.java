package io.meridian.config.access;

/**
 * Authenticated caller.
 *
 * @param name in the audit trail; never the token
 */
public record AdminCaller(String name, AdminRole role) {}
