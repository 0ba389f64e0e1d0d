package io.meridian.config.audit;

/**
 * Who wants something, for the audit trail.
 *
 * @param requestId what the caller calls its request, or what we call it
 */
public record Actor(String name, String requestId) {}
