package io.meridian.config.api;

import io.meridian.config.rules.EntryFilter;
import io.meridian.config.rules.EntryKind;
import io.meridian.config.rules.EntryQueries;
import io.meridian.config.rules.EntryQueries.Found;
import io.meridian.config.rules.TenantGuard;
import io.meridian.model.rules.RuleEntry;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Optional;

/** Restriction of tenant admins to the policies of their tenant when they read; what they change is restricted by {@link TenantGuard}. */
@Singleton
class TenantScope {
    private final CallContext call;
    private final EntryQueries entries;

    TenantScope(CallContext call, EntryQueries entries) {
        this.call = call;
        this.entries = entries;
    }

    /** Adds the caller's tenant to the values of a filter; of another kind than policies a tenant admin sees nothing. */
    void restrict(EntryKind kind, Map<String, String> values) {
        call.tenant().ifPresent(tenant -> {
            String before = kind == EntryKind.POLICY ? values.put(EntryFilter.TENANT, tenant) : "";
            if (before != null && !before.equals(tenant)) {
                throw Refusal.of(AdminErrorCode.FORBIDDEN, "the token is for the policies of the tenant " + tenant);
            }
        });
    }

    /** The found entry, if the caller may see it; else empty. */
    Found visible(Found found) {
        return call.tenant()
                .filter(tenant -> found.entry()
                        .map(entry -> !TenantGuard.isOwn(entry, tenant))
                        .orElse(false))
                .map(tenant -> new Found(Optional.empty(), found.asOf()))
                .orElse(found);
    }

    /** Refuses a policy that the caller may not see, as one that does not exist. */
    void requireOwn(String policy) {
        if (call.tenant().isPresent()
                && visible(entries.find(new RuleEntry.Key.OfPolicy(policy)))
                        .entry()
                        .isEmpty()) {
            throw Refusal.of(AdminErrorCode.NOT_FOUND, "there is no policy " + policy);
        }
    }
}
