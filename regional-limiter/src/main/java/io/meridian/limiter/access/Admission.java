package io.meridian.limiter.access;

import io.meridian.model.access.TokenEntry.TokenScope;
import io.meridian.model.access.TokenEntry;
import java.util.Set;

/** Whether a call is let in. */
public sealed interface Admission {
    /** The caller of a limiter that asks for no token. */
    Admission ANONYMOUS = new Admitted(TokenEntry.ANONYMOUS);

    /**
     * It is.
     *
     * @param caller the name of its token
     */
    record Admitted(String caller) implements Admission {}

    /** It bears no token. */
    record WithoutToken() implements Admission {}

    /** Its token is none of this limiter. */
    record WrongToken() implements Admission {}

    /** Its token is for other calls. */
    record MissingScope(String token, Set<TokenScope> needed, Set<TokenScope> scopes) implements Admission {}
}
