package io.meridian.config.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.access.Role;
import io.meridian.config.access.Shown;
import io.meridian.config.access.Token;
import io.meridian.config.access.TokenDraft;
import io.meridian.config.access.Tokens;
import io.meridian.model.rules.Expiry;
import io.meridian.model.validation.EnumNames;
import io.meridian.model.validation.Validator;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Tokens: made, listed, revoked. A token itself is in the answer that makes it and in no other. */
@Path(EntriesResource.BASE + "tokens")
@Blocking
@Produces(MediaType.APPLICATION_JSON)
class TokensResource {
    private static final Set<String> FIELDS = Set.of("name", "role", "expires_at");

    private final Tokens tokens;
    private final CallContext call;

    TokensResource(Tokens tokens, CallContext call) {
        this.tokens = tokens;
        this.call = call;
    }

    @GET
    @Needs(Role.ADMIN)
    public String list(@Context UriInfo uri) {
        Query query = Query.of(uri, Query.FROM, Query.TO, Query.LIMIT, Query.CURSOR);
        Predicate<Instant> range = query.range();
        List<Token> rest = tokens.all().stream()
                .filter(token -> range.test(token.createdAt()))
                .sorted((a, b) -> a.id().compareTo(b.id()))
                .filter(token -> token.id().compareTo(query.after().orElse("")) > 0)
                .toList();
        List<Token> page = rest.subList(0, Math.min(rest.size(), query.limit()));
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        ArrayNode items = answer.putArray("items");
        page.forEach(token -> items.add(Tokens.toJson(token)));
        boolean more = page.size() < rest.size();
        answer.put("next", more ? Query.cursor(page.get(page.size() - 1).id()) : null);
        return answer.toString();
    }

    @POST
    @Needs(Role.ADMIN)
    @Consumes(MediaType.APPLICATION_JSON)
    public Response make(InputStream body, @Context UriInfo uri) {
        boolean dryRun = Query.dryRun(uri);
        Tokens.Made made = tokens.make(call.actor(), draft(JsonBody.read(body)), dryRun);
        ObjectNode answer = Tokens.toJson(made.token());
        return dryRun
                ? Response.ok(answer.toString()).header(Answers.DRY_RUN, "true").build()
                : Response.status(Response.Status.CREATED)
                        .header("Cache-Control", "no-store")
                        .entity(answer.put("token", made.secret()).toString())
                        .build();
    }

    private static TokenDraft draft(JsonNode body) {
        JsonFieldNames.require(body, "a token", FIELDS);
        Validator rules = new Validator();
        JsonNode name = body.path("name");
        rules.require(name.isTextual(), "name", name, "must be a text");
        rules.require(
                !Shown.hasToken(name.asText()), "name", "(a token)", "must not be a token: the audit trail shows it");
        JsonNode role = body.path("role");
        Optional<Role> known = EnumNames.find(Role.class, role.asText());
        rules.require(known.isPresent(), "role", role.asText(), "must be one of " + EnumNames.list(Role.class));
        JsonNode end = body.path("expires_at");
        boolean never = end.isMissingNode() || end.isNull();
        rules.require(never || end.isTextual(), "expires_at", end, "must be an RFC 3339 time in UTC");
        Expiry expiry = never || !end.isTextual()
                ? Expiry.NEVER
                : rules.attempt(() -> Expiry.parse(end.asText()), Expiry.NEVER);
        TokenDraft draft = rules.attempt(
                () -> new TokenDraft(name.asText(), known.orElse(Role.VIEWER), expiry.time()),
                new TokenDraft("absent", Role.VIEWER, Optional.empty()));
        rules.throwIfInvalid();
        return draft;
    }

    @DELETE
    @Path("{id}")
    @Needs(Role.ADMIN)
    public Response revoke(@PathParam("id") String id, @Context UriInfo uri) {
        boolean dryRun = Query.dryRun(uri);
        if (!id.matches("[0-9a-z]{1,32}")) {
            throw Refusal.of(ErrorCode.NOT_FOUND, "there is no token of this id");
        }
        return switch (tokens.revoke(call.actor(), id, dryRun)) {
            case DONE ->
                dryRun
                        ? Response.ok("{}").header(Answers.DRY_RUN, "true").build()
                        : Response.noContent().build();
            case NO_SUCH -> throw Refusal.of(ErrorCode.NOT_FOUND, "there is no token " + id);
            case LAST_ADMIN ->
                throw Refusal.of(
                        ErrorCode.IN_USE, "token " + id + " is the last admin's: nobody could make another one");
        };
    }
}
