package io.meridian.config.api;

import io.smallrye.config.ConfigMapping;
import java.util.Optional;
import java.util.Set;

/** What policies are known to be able to name. */
@ConfigMapping(prefix = "meridian.config.policies")
interface PolicyNamesConfig {
    /** Attributes that callers send beside api_key, user_id, tenant and ip: a policy that counts by another one is warned of. */
    Optional<Set<String>> attributes();
}
