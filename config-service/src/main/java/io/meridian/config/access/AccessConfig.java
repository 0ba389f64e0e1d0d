package io.meridian.config.access;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Who is let in. */
@ConfigMapping(prefix = "meridian.config.access")
public interface AccessConfig {
    /**
     * The file with the first admin's token. Where it does not exist and there is no admin yet, a token is made and written
     * there for its owner alone: shown once, and in no log.
     */
    Optional<Path> adminTokenFile();

    /** How often tokens are read anew: how long a revocation at another replica takes. */
    @WithDefault("1S")
    Duration refresh();

    /** How many tokens there may be; all of them are held in memory, so that callers are known while PostgreSQL is away. */
    @WithDefault("10000")
    int tokensMax();

    /** Tokens of an identity provider, besides our own. */
    Oidc oidc();

    /** An identity provider; used if it has an issuer. */
    interface Oidc {
        /** Who must have issued a token. */
        Optional<String> issuer();

        /** Where its keys are. */
        Optional<String> jwksUrl();

        /** Whom a token must be for. */
        @WithDefault("meridian")
        String audience();

        /** The claim that holds the role, or a list with it: viewer, editor, admin. */
        @WithDefault("roles")
        String roleClaim();

        /** How far the clocks may be apart. */
        @WithDefault("30S")
        Duration clockSkew();
    }
}
