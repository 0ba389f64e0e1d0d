package io.meridian.limiter.caller;

import io.meridian.limiter.LimiterConfig.TokenConfig;
import io.meridian.limiter.metrics.CallerMetrics.AccessMetrics;
import io.meridian.limiter.metrics.CallerMetrics.AccessMetrics.CallRefusal;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.model.access.TokenEntry;
import io.meridian.model.access.TokenEntry.TokenScope;
import io.meridian.model.access.TokenHash;
import io.meridian.model.access.TokenList;
import io.meridian.model.access.TokenText;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Access tokens in effect. Only their hashes are held; a token is found by half of its hash and the whole is compared in constant
 * time, so that neither the memory nor the time of an answer tells anything of a token.
 */
@Singleton
public class AccessTokens {
    /** Longer ones are not hashed: no token of ours has more than 64. */
    private static final int TOKEN_MAX = 512;

    private static final String SELF = "self";

    private final boolean open;
    private final AccessMetrics metrics;
    private final String ownToken;
    private final TokenEntry self;
    private volatile Map<String, TokenEntry> tokens;

    @Inject
    AccessTokens(TokenConfig config, LimiterMetrics metrics) {
        this(config.file().isEmpty() && config.list().isEmpty(), metrics.access());
    }

    /** @param open whether everybody may call; if not, nobody may until there are tokens */
    AccessTokens(boolean open, AccessMetrics metrics) {
        byte[] random = new byte[TokenText.RANDOM_BYTES];
        new SecureRandom().nextBytes(random);
        this.open = open;
        this.metrics = metrics;
        this.ownToken = TokenText.of(random);
        this.self = new TokenEntry(SELF, Set.of(TokenScope.CHECK), TokenHash.of(ownToken));
        this.tokens = Map.of(self.hash().index(), self);
    }

    public boolean open() {
        return open;
    }

    /** A token for checks that only this process knows: what it presents when it calls itself. */
    public Optional<String> ownToken() {
        return open ? Optional.empty() : Optional.of(ownToken);
    }

    public void replace(TokenList list) {
        Map<String, TokenEntry> read = new HashMap<>();
        list.tokens().forEach(token -> read.put(token.hash().index(), token));
        read.put(self.hash().index(), self);
        tokens = Map.copyOf(read);
        Set<String> names = new TreeSet<>();
        list.tokens().forEach(token -> names.add(token.name()));
        metrics.inEffect(names);
    }

    /**
     * Whether a call with this token may do what needs all of these scopes.
     *
     * @param presented the token, null if the call bears none
     */
    public Admission admit(@Nullable String presented, Set<TokenScope> needed) {
        if (open) {
            return Admission.ANONYMOUS;
        }
        if (presented == null) {
            metrics.refused(CallRefusal.NO_TOKEN, TokenEntry.NONE);
            return new Admission.WithoutToken();
        }
        TokenEntry token = find(presented);
        if (token == null) {
            metrics.refused(CallRefusal.WRONG_TOKEN, TokenEntry.NONE);
            return new Admission.WrongToken();
        }
        if (!token.scopes().containsAll(needed)) {
            metrics.refused(CallRefusal.MISSING_SCOPE, token.name());
            return new Admission.MissingScope(token.name(), needed, token.scopes());
        }
        return new Admission.Admitted(token.name());
    }

    private @Nullable TokenEntry find(String presented) {
        if (presented.length() > TOKEN_MAX) {
            return null;
        }
        TokenHash hash = TokenHash.of(presented);
        TokenEntry found = tokens.get(hash.index());
        return found != null && found.hash().isSame(hash) ? found : null;
    }

    /** Admission of a call. */
    public sealed interface Admission {
        /** The caller of a limiter that asks for no token. */
        Admission ANONYMOUS = new Admitted(TokenEntry.ANONYMOUS);

        /**
         * The call may pass.
         *
         * @param caller the name of its token
         */
        record Admitted(String caller) implements Admission {}

        /** The call bears no token. */
        record WithoutToken() implements Admission {}

        /** The call's token is none of this limiter. */
        record WrongToken() implements Admission {}

        /** The call's token is for other calls. */
        record MissingScope(String token, Set<TokenScope> needed, Set<TokenScope> scopes) implements Admission {}
    }
}
