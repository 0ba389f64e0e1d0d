package io.meridian.config.access;

import java.util.Optional;

/**
 * Authenticated caller.
 *
 * @param name in the audit trail; never the token
 * @param tenant to whose policies a tenant admin is restricted; empty for every other role
 */
public record AdminCaller(String name, AdminRole role, Optional<String> tenant) {
    /** A caller that is not restricted to a tenant. */
    public AdminCaller(String name, AdminRole role) {
        this(name, role, Optional.empty());
    }

    public AdminCaller {
        if (tenant.isPresent() != (role == AdminRole.TENANT_ADMIN)) {
            throw new IllegalArgumentException("a tenant admin has a tenant, and nobody else has: " + role);
        }
    }
}
