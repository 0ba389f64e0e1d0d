package io.meridian.config.access;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.access.Token.Draft;
import io.meridian.config.audit.Actor;
import io.meridian.config.audit.AuditTrail;
import io.meridian.config.database.Database;
import io.meridian.config.database.Database.Session;
import io.meridian.config.database.DatabaseUnavailableException;
import io.meridian.config.database.Timestamps;
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

/** Creation and revocation of tokens. The secret is in the answer that creates the token and nowhere else. */
@Singleton
public class TokenAdmin {
    private static final Logger LOG = Logger.getLogger(TokenAdmin.class);
    private static final String KIND = "token";

    private final Database database;
    private final TokenCache cache;
    private final AccessConfig config;
    private final TimeSource time;

    TokenAdmin(Database database, TokenCache cache, AccessConfig config, TimeSource time) {
        this.database = database;
        this.cache = cache;
        this.config = config;
        this.time = time;
    }

    /** New token with its secret. */
    public record Created(Token token, String secret) {}

    /** Result of a revocation. */
    public enum Revoked {
        DONE,
        NO_SUCH,
        LAST_ADMIN
    }

    public List<Token> all() {
        return List.copyOf(database.read(session -> TokenTable.all(session, config.tokensMax()))
                .keySet());
    }

    public Created create(Actor actor, Draft draft, boolean dryRun) {
        Instant now = Timestamps.ofMicros(time.wallMicros());
        Token token = new Token(
                Token.newId(), draft.name(), draft.role(), draft.tenant(), now, actor.name(), draft.expiresAt());
        String secret = Token.newSecret();
        if (!dryRun) {
            database.transaction(session -> {
                TokenTable.lock(session);
                int count = TokenTable.all(session, config.tokensMax()).size();
                new Validator()
                        .require(count < config.tokensMax(), "tokens", count, "must stay below " + config.tokensMax())
                        .throwIfInvalid();
                TokenTable.put(session, token, TokenHash.of(secret));
                audit(session, actor, now, "created", token.id(), Optional.empty(), Optional.of(token));
                return token;
            });
            refresh();
        }
        return new Created(token, secret);
    }

    /** Revokes a token, unless it is the last one that can create tokens. */
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
                    .anyMatch(each -> each.role() == AdminRole.ADMIN
                            && each.isLive(now)
                            && !each.id().equals(id));
            if (!othersAreAdmins && config.oidc().issuer().isEmpty()) {
                return Revoked.LAST_ADMIN;
            }
            if (!dryRun) {
                TokenTable.delete(session, id);
                audit(session, actor, now, "deleted", id, found, Optional.empty());
            }
            return Revoked.DONE;
        });
        refresh();
        return revoked;
    }

    /** Applies the committed change at once; if PostgreSQL is unavailable by now, the next periodic refresh does. */
    private void refresh() {
        try {
            cache.refresh();
        } catch (DatabaseUnavailableException unavailable) {
            LOG.debugf("tokens are refreshed later: reason=%s", unavailable.getMessage());
        }
    }

    private static void audit(
            Session session,
            Actor actor,
            Instant now,
            String action,
            String id,
            Optional<Token> before,
            Optional<Token> after) {
        AuditTrail.Row row = new AuditTrail.Row(
                action, KIND, id, null, before.map(TokenAdmin::toJson), after.map(TokenAdmin::toJson));
        AuditTrail.append(session, actor, now, List.of(row));
    }

    private static ObjectNode toJson(Token token) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("id", token.id())
                .put("name", token.name())
                .put("role", EnumNames.text(token.role()))
                .put("tenant", token.tenant().orElse(null))
                .put("created_at", token.createdAt().toString())
                .put("created_by", token.createdBy())
                .put("expires_at", token.expiresAt().map(Instant::toString).orElse(null));
    }
}
