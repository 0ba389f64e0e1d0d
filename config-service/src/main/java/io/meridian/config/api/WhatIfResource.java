package io.meridian.config.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.access.Role;
import io.meridian.config.history.History;
import io.meridian.config.history.whatif.WhatIf;
import io.meridian.config.history.whatif.WhatIfAnswer;
import io.meridian.model.policy.Policy;
import io.meridian.model.validation.Validator;
import io.meridian.model.wire.PolicyJson;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.io.InputStream;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.Set;

/** Tries a draft policy on the usage on record. It changes nothing. */
@Path(EntriesResource.BASE + "what-if")
@Blocking
@Produces(MediaType.APPLICATION_JSON)
class WhatIfResource {
    private static final Set<String> FIELDS = Set.of("policy", "basis", Query.FROM, Query.TO);

    private final History history;
    private final WhatIf whatIf;

    WhatIfResource(History history, WhatIf whatIf) {
        this.history = history;
        this.whatIf = whatIf;
    }

    @POST
    @Needs(Role.VIEWER)
    @Consumes(MediaType.APPLICATION_JSON)
    public String ask(InputStream body, @Context UriInfo uri) {
        Query.of(uri);
        JsonNode question = JsonBody.read(body);
        JsonFieldNames.require(question, "a what-if", FIELDS);
        if (!question.hasNonNull("policy")) {
            throw Validator.invalid("policy", "nothing", "is required");
        }
        Policy draft = PolicyJson.read(question.get("policy"));
        Optional<String> basis = text(question, "basis");
        basis.filter(id -> !Policy.isId(id)).ifPresent(id -> {
            throw Validator.invalid("basis", id, "must be the id of a policy");
        });
        return whatIf.ask(draft, basis, history.usageRange(time(question, Query.FROM), time(question, Query.TO)))
                .map(answer -> toJson(answer, draft).toString())
                .orElseThrow(() -> Refusal.of(ErrorCode.BUSY, "other drafts are being tried; try again in a moment"));
    }

    private static ObjectNode toJson(WhatIfAnswer answer, Policy draft) {
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("from", answer.range().from().toString())
                .put("to", answer.range().to().toString())
                .put("basis", answer.basis())
                .put("requests", answer.requests())
                .put("denied", answer.denied())
                .put("share", answer.share())
                .put("keys", answer.keys());
        ArrayNode clients = json.putArray("clients");
        long cost = draft.limitSpec().cost();
        answer.clients().forEach(client -> clients.addObject()
                .put("key", client.key())
                .put("requests", client.requests())
                .put("units", units(client.requests(), cost))
                .put("denied", client.denied()));
        answer.assumptions().forEach(json.putArray("assumptions")::add);
        return json;
    }

    private static long units(long requests, long cost) {
        return requests > Long.MAX_VALUE / cost ? Long.MAX_VALUE : requests * cost;
    }

    private static Optional<String> text(JsonNode question, String field) {
        JsonNode value = question.path(field);
        if (value.isMissingNode() || value.isNull()) {
            return Optional.empty();
        }
        if (!value.isTextual()) {
            throw Validator.invalid(field, value, "must be a text");
        }
        return Optional.of(value.textValue());
    }

    private static Optional<Instant> time(JsonNode question, String field) {
        return text(question, field).map(value -> {
            try {
                return Instant.parse(value);
            } catch (DateTimeParseException malformed) {
                throw Validator.invalid(field, value, "must be an RFC 3339 time in UTC");
            }
        });
    }
}
