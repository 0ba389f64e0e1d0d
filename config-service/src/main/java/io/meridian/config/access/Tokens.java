package io.meridian.config.access;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.rulebook.Actor;
import io.meridian.config.rulebook.Audit;
import io.meridian.config.store.Database;
import io.meridian.config.store.DatabaseAway;
import io.meridian.config.store.Session;
import io.meridian.config.store.Times;
import io.meridian.model.access.TokenHash;
import io.meridian.model.time.TimeSource;
import io.meridian.model.validation.EnumNames;
import io.meridian.model.validation.Validator;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jboss.logging.Logger;

/** Tokens, made and revoked. The token itself is in the answer that makes it and nowhere else. */
@Singleton
public class Tokens {
    private static final Logger LOG = Logger.getLogger(Tokens.class);
    private static final String KIND = "token";

    private final Database database;
    private final TokenBook book;
    private final AccessConfig config;
    private final TimeSource time;

    Tokens(Database database, TokenBook book, AccessConfig config, TimeSource time) {
        this.database = database;
        this.book = book;
        this.config = config;
        this.time = time;
    }

    /** A new token, once. */
    public record Made(Token token, String secret) {}

    /** What became of a revocation. */
    public enum Revoked {
        DONE,
        NO_SUCH,
        LAST_ADMIN
    }

    public List<Token> all() {
        return List.copyOf(database.read(session -> TokenRows.all(session, config.tokensMax()))
                .keySet());
    }

    public Made make(Actor actor, TokenDraft draft, boolean dryRun) {
        Instant now = Times.ofMicros(time.wallMicros());
        Token token = new Token(TokenSecrets.id(), draft.name(), draft.role(), now, actor.name(), draft.expiresAt());
        String secret = TokenSecrets.token();
        if (!dryRun) {
            database.transaction(session -> {
                TokenRows.lock(session);
                int count = TokenRows.all(session, config.tokensMax()).size();
                new Validator()
                        .require(count < config.tokensMax(), "tokens", count, "must stay below " + config.tokensMax())
                        .throwIfInvalid();
                TokenRows.put(session, token, TokenHash.of(secret));
                audit(session, actor, now, "created", token.id(), Optional.empty(), Optional.of(toJson(token)));
                return token;
            });
            refresh();
        }
        return new Made(token, secret);
    }

    /** Revokes a token, unless nobody could make another one then. */
    public Revoked revoke(Actor actor, String id, boolean dryRun) {
        Instant now = Times.ofMicros(time.wallMicros());
        Revoked revoked = database.transaction(session -> {
            TokenRows.lock(session);
            Map<Token, TokenHash> tokens = TokenRows.all(session, config.tokensMax());
            Optional<Token> found = tokens.keySet().stream()
                    .filter(each -> each.id().equals(id))
                    .findFirst();
            if (found.isEmpty()) {
                return Revoked.NO_SUCH;
            }
            boolean othersAreAdmins = tokens.keySet().stream()
                    .anyMatch(each -> each.role() == Role.ADMIN
                            && each.isLive(now)
                            && !each.id().equals(id));
            if (!othersAreAdmins && config.oidc().issuer().isEmpty()) {
                return Revoked.LAST_ADMIN;
            }
            if (!dryRun) {
                TokenRows.delete(session, id);
                audit(session, actor, now, "deleted", id, found.map(Tokens::toJson), Optional.empty());
            }
            return Revoked.DONE;
        });
        refresh();
        return revoked;
    }

    /** What was done is done, and is in effect a second later if PostgreSQL has gone away since. */
    private void refresh() {
        try {
            book.refresh();
        } catch (DatabaseAway away) {
            LOG.debugf("tokens are read anew later: reason=%s", away.getMessage());
        }
    }

    private static void audit(
            Session session,
            Actor actor,
            Instant now,
            String action,
            String id,
            Optional<ObjectNode> before,
            Optional<ObjectNode> after) {
        Audit.write(session, actor, now, action, KIND, id, before, after);
    }

    /** All that may be told of a token. */
    public static ObjectNode toJson(Token token) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("id", token.id())
                .put("name", token.name())
                .put("role", EnumNames.text(token.role()))
                .put("created_at", token.createdAt().toString())
                .put("created_by", token.createdBy())
                .put("expires_at", token.expiresAt().map(Instant::toString).orElse(null));
    }
}
