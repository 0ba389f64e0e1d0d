package io.meridian.config.access;

import io.meridian.config.database.Database.Session;
import io.meridian.config.database.Timestamps;
import io.meridian.model.access.TokenHash;
import io.meridian.model.validation.EnumNames;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Row;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Table of tokens. */
final class TokenTable {
    private TokenTable() {}

    /** All tokens, oldest first. */
    static Map<Token, TokenHash> all(Session session, int max) {
        Map<Token, TokenHash> tokens = new LinkedHashMap<>();
        for (Row row : session.run("SELECT * FROM token ORDER BY created_at, id LIMIT $1", max)) {
            tokens.put(token(row), new TokenHash(row.getBuffer("hash").getBytes()));
        }
        return tokens;
    }

    private static Token token(Row row) {
        return new Token(
                row.getString("id"),
                row.getString("name"),
                EnumNames.find(AdminRole.class, row.getString("role")).orElseThrow(),
                Optional.ofNullable(row.getString("tenant")),
                Timestamps.of(row, "created_at"),
                row.getString("created_by"),
                Optional.ofNullable(row.getOffsetDateTime("expires_at")).map(time -> time.toInstant()));
    }

    static void put(Session session, Token token, TokenHash hash) {
        session.run(
                """
                INSERT INTO token (id, name, role, hash, created_at, created_by, expires_at, tenant)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
                ON CONFLICT (id) DO UPDATE SET hash = excluded.hash""",
                token.id(),
                token.name(),
                EnumNames.text(token.role()),
                Buffer.buffer(hash.bytes()),
                Timestamps.toDatabase(token.createdAt()),
                token.createdBy(),
                token.expiresAt().map(Timestamps::toDatabase).orElse(null),
                token.tenant().orElse(null));
    }

    static void delete(Session session, String id) {
        session.run("DELETE FROM token WHERE id = $1", id);
    }

    /** Serializes changes of tokens. */
    static void lock(Session session) {
        session.run("LOCK TABLE token IN SHARE ROW EXCLUSIVE MODE");
    }
}
