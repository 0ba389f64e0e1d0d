package io.meridian.config.access;

import io.meridian.model.validation.EnumNames;
import io.meridian.model.validation.Validator;
import io.smallrye.jwt.auth.principal.DefaultJWTParser;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import io.smallrye.jwt.auth.principal.JWTParser;
import io.smallrye.jwt.auth.principal.ParseException;
import jakarta.inject.Singleton;
import jakarta.json.JsonArray;
import jakarta.json.JsonString;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.eclipse.microprofile.jwt.JsonWebToken;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Verifier of bearer tokens signed by an identity provider. Disabled unless an issuer is set. */
@Singleton
public class IdentityProvider {
    private static final Logger LOG = Logger.getLogger(IdentityProvider.class);
    private static final int KEYS_REFRESH_MINUTES = 10;
    private static final int SUBJECT_MAX = 255;

    private final AccessConfig.Oidc config;
    private final Optional<JWTParser> parser;

    IdentityProvider(AccessConfig access) {
        this.config = access.oidc();
        this.parser = config.issuer().map(issuer -> new DefaultJWTParser(context(issuer)));
    }

    private JWTAuthContextInfo context(String issuer) {
        JWTAuthContextInfo context = new JWTAuthContextInfo();
        context.setIssuedBy(issuer);
        context.setPublicKeyLocation(config.jwksUrl()
                .orElseThrow(() -> new IllegalArgumentException(
                        "meridian.config.access.oidc.jwks-url must be set with an issuer")));
        context.setExpectedAudience(Set.of(config.audience()));
        context.setClockSkew(Math.toIntExact(config.clockSkew().toSeconds()));
        context.setJwksRefreshInterval(KEYS_REFRESH_MINUTES);
        return context;
    }

    /** The caller of a signed token; empty if it is none, is not valid here, or names no role. */
    public Optional<AdminCaller> caller(String token) {
        return parser.filter(own -> isSigned(token)).flatMap(own -> {
            try {
                JsonWebToken signed = own.parse(token);
                return subject(signed).flatMap(subject -> role(signed.getClaim(config.roleClaim()))
                        .flatMap(role -> caller("oidc:" + subject, role, signed)));
            } catch (ParseException refused) {
                LOG.debugf("a signed token was refused: reason=%s", refused.getMessage());
                return Optional.empty();
            }
        });
    }

    /** A tenant admin without a tenant is nobody. */
    private Optional<AdminCaller> caller(String name, AdminRole role, JsonWebToken signed) {
        if (role != AdminRole.TENANT_ADMIN) {
            return Optional.of(new AdminCaller(name, role));
        }
        return names(signed.getClaim(config.tenantClaim()))
                .filter(Token::isTenant)
                .findFirst()
                .map(tenant -> new AdminCaller(name, role, Optional.of(tenant)));
    }

    /** The subject, if the audit trail can store it. */
    private static Optional<String> subject(JsonWebToken signed) {
        return Optional.ofNullable(signed.getSubject())
                .filter(name -> !name.isBlank() && name.length() <= SUBJECT_MAX && Validator.isPlain(name));
    }

    private static boolean isSigned(String token) {
        return token.chars().filter(c -> c == '.').count() == 2;
    }

    /** The highest of the roles that the claim names. */
    private static Optional<AdminRole> role(@Nullable Object claim) {
        return names(claim)
                .flatMap(name -> EnumNames.find(AdminRole.class, name).stream())
                .max(Comparator.naturalOrder());
    }

    private static Stream<String> names(@Nullable Object claim) {
        if (claim instanceof JsonArray array) {
            return array.getValuesAs(value -> value instanceof JsonString text ? text.getString() : "").stream();
        }
        if (claim instanceof JsonString text) {
            return Stream.of(text.getString());
        }
        if (claim instanceof Collection<?> many) {
            return many.stream().map(String::valueOf);
        }
        return claim == null ? Stream.of() : List.of(String.valueOf(claim)).stream();
    }
}
