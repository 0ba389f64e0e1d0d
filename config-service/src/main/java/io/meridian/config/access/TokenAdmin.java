package io.meridian.config.access;

import io.meridian.config.access.Token.Draft;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.audit.Actor;
import io.meridian.config.audit.AuditTrail;
import io.meridian.config.database.Database;
import io.meridian.config.database.DatabaseUnavailableException;
import io.meridian.config.database.Session;
import io.meridian.config.database.Timestamps;
import io.meridian.model.access.TokenHash;
import io.meridian.model.policy.Choice;
import io.meridian.model.rule.Rules;
import io.meridian.model.time.TimeSource;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jboss.logging.Logger;

/** TokenAdmin, made and revoked. The token itself is in the answer that makes it and nowhere else. */
@Singleton
public class TokenAdmin {
    private static final Logger LOG = Logger.getLogger(TokenAdmin.class);
    private static final String KIND = "token";

    private final Database database;
    private final TokenCache book;
    private final AccessConfig config;
    private final TimeSource time;

    TokenAdmin(Database database, TokenCache book, AccessConfig config, TimeSource time) {
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
        return List.copyOf(database.read(session -> TokenTable.all(session, config.tokensMax()))
                .keySet());
    }

    public Made make(Actor actor, Draft draft, boolean dryRun) {
        Instant now = Timestamps.ofMicros(time.wallMicros());
        Token token = new Token(TokenSecrets.id(), draft.name(), draft.role(), now, actor.name(), draft.expiresAt());
        String secret = TokenSecrets.token();
        if (!dryRun) {
            database.transaction(session -> {
                TokenTable.lock(session);
                int count = TokenTable.all(session, config.tokensMax()).size();
                new Rules()
                        .require(count < config.tokensMax(), "tokens", count, "must stay below " + config.tokensMax())
                        .throwIfBroken();
                TokenTable.put(session, token, TokenHash.of(secret));
                audit(session, actor, now, "created", token.id(), Optional.empty(), Optional.of(toJson(token)));
                return token;
            });
            refresh();
        }
        return new Made(token, secret);
    }

    /** Revokes a token, unless nobody could make another one then. */
    public Revoked revoke(Actor actor, String id, boolean dryRun) {
        Instant now = Timestamps.ofMicros(time.wallMicros());
        Revoked revoked = database.transaction(session -> {
            TokenTable.lock(session);
            Map<Token, TokenHash> tokens = TokenTable.all(session, config.tokensMax());
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
                TokenTable.delete(session, id);
                audit(session, actor, now, "deleted", id, found.map(TokenAdmin::toJson), Optional.empty());
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
        } catch (DatabaseUnavailableException away) {
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
        AuditTrail.write(session, actor, now, action, KIND, id, before, after);
    }

    /** All that may be told of a token. */
    public static ObjectNode toJson(Token token) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("id", token.id())
                .put("name", token.name())
                .put("role", Choice.text(token.role()))
                .put("created_at", token.createdAt().toString())
                .put("created_by", token.createdBy())
                .put("expires_at", token.expiresAt().map(Instant::toString).orElse(null));
    }
}
