package io.meridian.config.access;

import io.meridian.config.access.Credential.OwnToken;
import io.meridian.config.access.Credential.SignedToken;
import io.meridian.model.access.TokenHash;
import jakarta.inject.Singleton;
import java.util.Optional;

/** Lookup of the caller behind a credential: our own tokens first, then those of the identity provider. */
@Singleton
public class Callers {
    private final TokenCache tokens;
    private final IdentityProvider provider;

    Callers(TokenCache tokens, IdentityProvider provider) {
        this.tokens = tokens;
        this.provider = provider;
    }

    /** A caller and the proof of it. */
    public record Identified(AdminCaller caller, Credential credential) {}

    public Optional<Identified> ofToken(String presented) {
        return of(new OwnToken(TokenHash.of(presented))).or(() -> of(new SignedToken(presented)));
    }

    /** The caller of a credential now; empty once its token was revoked or has expired. */
    public Optional<Identified> of(Credential credential) {
        Optional<AdminCaller> caller = credential instanceof OwnToken own
                ? tokens.caller(own.hash())
                : provider.caller(((SignedToken) credential).token());
        return caller.map(each -> new Identified(each, credential));
    }

    /** Whether our tokens were read since the start; before that no caller can be identified. */
    public boolean isLoaded() {
        return tokens.isLoaded();
    }
}
