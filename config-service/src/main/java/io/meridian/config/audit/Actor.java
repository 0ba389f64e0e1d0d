package io.meridian.config.audit;

/**
 * Author of an action, as the audit trail names it.
 *
 * @param requestId the caller's X-Request-Id, else one that this service made up
 */
public record Actor(String name, String requestId) {}
