package io.meridian.config.access;

import io.meridian.model.access.TokenHash;

/** Proof of a sign-in that a session keeps, from which its caller is looked up at every call. */
public sealed interface Credential {
    /** A token of ours, by its hash. */
    record OwnToken(TokenHash hash) implements Credential {}

    /** A token signed by the identity provider, which is verified again at every call and so ends by itself. */
    record SignedToken(String token) implements Credential {
        @Override
        public String toString() {
            return "SignedToken";
        }
    }
}
