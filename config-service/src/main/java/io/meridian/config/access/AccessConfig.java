package io.meridian.config.access;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Settings of authentication. */
@ConfigMapping(prefix = "meridian.config.access")
public interface AccessConfig {
    /**
     * The file with the first admin's token. If it does not exist and there is no admin yet, a token is created and written
     * to it, readable by its owner only. It appears in no log.
     */
    Optional<Path> adminTokenFile();

    /** How often tokens are read: how long a revocation at another replica takes. */
    @WithDefault("1S")
    Duration refresh();

    /** The most tokens; all of them are held in memory, so that callers are known while PostgreSQL is unavailable. */
    @WithDefault("10000")
    int tokensMax();

    /** Tokens of an identity provider, besides our own. */
    Oidc oidc();

    /** Settings of an identity provider, which is used if the issuer is set. */
    interface Oidc {
        /** The required issuer. */
        Optional<String> issuer();

        /** The URL of its keys. */
        Optional<String> jwksUrl();

        /** The required audience. */
        @WithDefault("meridian")
        String audience();

        /** The claim with the role or a list of roles: tenant_admin, viewer, editor, admin. The highest counts. */
        @WithDefault("roles")
        String roleClaim();

        /** The claim with the tenant of a tenant_admin, who is nobody without it. */
        @WithDefault("tenant")
        String tenantClaim();

        /** The tolerated clock skew. */
        @WithDefault("30S")
        Duration clockSkew();
    }
}
