package io.meridian.limiter.caller;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How the subject of a bearer token is verified: by one of a JWKS at a URL, a JWKS in a file, and a public key. With none of
 * them a JWT names no user.
 */
@ConfigMapping(prefix = "meridian.limiter.jwt")
public interface JwtConfig {
    /** Where the issuer's JWKS is. */
    Optional<URI> jwksUrl();

    /** A file with the JWKS; read again like a URL. */
    Optional<Path> jwksFile();

    /** The public key in PEM. */
    Optional<String> publicKey();

    /** A file with the public key in PEM. */
    Optional<Path> publicKeyFile();

    /** The issuer that a token must name; any if unset. */
    Optional<String> issuer();

    /** The audiences of which a token must name one; any if unset. */
    Optional<List<String>> audience();

    /** The signature algorithms that are accepted. Shared secrets (HS256) and {@code none} never are. */
    @WithDefault("RS256,ES256")
    List<String> algorithms();

    /** How far the clocks of the issuer and of this limiter may be apart. */
    @WithDefault("30S")
    Duration clockSkew();

    /** How often the JWKS is read again. */
    @WithDefault("5M")
    Duration jwksRefresh();

    /** The least time between two reads, also where tokens name keys that are not in the JWKS. */
    @WithDefault("10S")
    Duration jwksRefreshMin();

    /** How long one read of the JWKS may take; also how long the first one may hold up the start. */
    @WithDefault("3S")
    Duration jwksTimeout();

    /** The memory for verified tokens: a token that is in it is not verified again before it expires. */
    @WithDefault("16M")
    MemorySize cacheSize();

    /** Believes the subject of a JWT without verifying it, where the gateway has done so. Excludes all keys. */
    @WithDefault("false")
    boolean acceptUnverified();
}
