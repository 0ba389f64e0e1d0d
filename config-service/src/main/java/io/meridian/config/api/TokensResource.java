package io.meridian.config.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.meridian.config.access.AdminRole;
import io.meridian.config.access.Token;
import io.meridian.config.access.Token.Draft;
import io.meridian.config.access.TokenAdmin;
import io.meridian.config.api.AccessFilter.RequiresRole;
import io.meridian.model.rules.Expiry;
import io.meridian.model.validation.EnumNames;
import io.meridian.model.validation.Validator;
import io.meridian.service.http.Redaction;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.io.InputStream;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

/** Tokens. The secret is in the answer that creates the token and in no other. */
@Path(EntriesResource.BASE + "tokens")
@Blocking
@Produces(MediaType.APPLICATION_JSON)
class TokensResource {
    private static final Set<String> FIELDS = Set.of("name", "role", "tenant", "expires_at");

    private final TokenAdmin tokens;
    private final CallContext call;

    TokensResource(TokenAdmin tokens, CallContext call) {
        this.tokens = tokens;
        this.call = call;
    }

    public record TokenPage(List<TokenItem> items, @Nullable String next) {}

    /**
     * Token in answers.
     *
     * @param token the secret; only in the answer that creates the token
     */
    @JsonNaming(SnakeCaseStrategy.class)
    public record TokenItem(
            String id,
            String name,
            String role,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String tenant,

            String createdAt,
            String createdBy,
            @Nullable String expiresAt,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String token) {
        static TokenItem of(Token token, @Nullable String secret) {
            return new TokenItem(
                    token.id(),
                    token.name(),
                    EnumNames.text(token.role()),
                    token.tenant().orElse(null),
                    token.createdAt().toString(),
                    token.createdBy(),
                    token.expiresAt().map(Instant::toString).orElse(null),
                    secret);
        }
    }

    @GET
    @RequiresRole(AdminRole.ADMIN)
    public TokenPage list(@Context UriInfo uri) {
        Query query = Query.of(uri, Query.FROM, Query.TO, Query.LIMIT, Query.CURSOR);
        Predicate<Instant> range = query.range();
        List<Token> rest = tokens.all().stream()
                .filter(token -> range.test(token.createdAt()))
                .sorted(Comparator.comparing(Token::id))
                .filter(token -> token.id().compareTo(query.after().orElse("")) > 0)
                .toList();
        List<Token> page = rest.subList(0, Math.min(rest.size(), query.limit()));
        boolean more = page.size() < rest.size();
        return new TokenPage(
                page.stream().map(token -> TokenItem.of(token, null)).toList(),
                more ? Query.cursor(page.get(page.size() - 1).id()) : null);
    }

    @POST
    @RequiresRole(AdminRole.ADMIN)
    @Consumes(MediaType.APPLICATION_JSON)
    public RestResponse<TokenItem> make(InputStream body, @Context UriInfo uri) {
        boolean dryRun = Query.dryRun(uri);
        TokenAdmin.Created created = tokens.create(call.actor(), draft(JsonBody.read(body)), dryRun);
        if (dryRun) {
            return RestResponse.ResponseBuilder.ok(TokenItem.of(created.token(), null))
                    .header(EntryAnswers.DRY_RUN, "true")
                    .build();
        }
        return RestResponse.ResponseBuilder.create(
                        RestResponse.Status.CREATED, TokenItem.of(created.token(), created.secret()))
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .build();
    }

    private static Draft draft(JsonNode body) {
        JsonBody.requireFields(body, "a token", FIELDS);
        Validator rules = new Validator();
        JsonNode name = body.path("name");
        rules.require(name.isTextual(), "name", name, "must be a text");
        rules.require(
                !Redaction.hasToken(name.asText()),
                "name",
                "(a token)",
                "must not be a token: the audit trail shows it");
        JsonNode role = body.path("role");
        Optional<AdminRole> known = EnumNames.find(AdminRole.class, role.asText());
        rules.require(known.isPresent(), "role", role.asText(), "must be one of " + EnumNames.list(AdminRole.class));
        JsonNode tenant = body.path("tenant");
        boolean noTenant = tenant.isMissingNode() || tenant.isNull();
        rules.require(noTenant || tenant.isTextual(), "tenant", tenant, "must be a text");
        JsonNode end = body.path("expires_at");
        boolean never = end.isMissingNode() || end.isNull();
        rules.require(never || end.isTextual(), "expires_at", end, "must be an RFC 3339 time in UTC");
        Expiry expiry = never || !end.isTextual()
                ? Expiry.NEVER
                : rules.attempt(() -> Expiry.parse(end.asText()), Expiry.NEVER);
        Draft draft = rules.attempt(
                () -> new Draft(
                        name.asText(),
                        known.orElse(AdminRole.VIEWER),
                        noTenant || known.isEmpty() ? Optional.empty() : Optional.of(tenant.asText()),
                        expiry.time()),
                new Draft("absent", AdminRole.VIEWER, Optional.empty()));
        rules.throwIfInvalid();
        return draft;
    }

    @DELETE
    @Path("{id}")
    @RequiresRole(AdminRole.ADMIN)
    public Response revoke(@PathParam("id") String id, @Context UriInfo uri) {
        boolean dryRun = Query.dryRun(uri);
        if (!id.matches("[0-9a-z]{1,32}")) {
            throw Refusal.of(AdminErrorCode.NOT_FOUND, "there is no token of this id");
        }
        return switch (tokens.revoke(call.actor(), id, dryRun)) {
            case DONE ->
                dryRun
                        ? Response.ok("{}").header(EntryAnswers.DRY_RUN, "true").build()
                        : Response.noContent().build();
            case NO_SUCH -> throw Refusal.of(AdminErrorCode.NOT_FOUND, "there is no token " + id);
            case LAST_ADMIN ->
                throw Refusal.of(
                        AdminErrorCode.IN_USE, "token " + id + " is the last admin's: nobody could make another one");
        };
    }
}
