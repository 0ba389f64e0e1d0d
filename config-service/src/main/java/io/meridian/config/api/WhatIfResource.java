package io.meridian.config.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.meridian.config.access.AdminRole;
import io.meridian.config.api.AccessFilter.RequiresRole;
import io.meridian.config.history.UsageQueries;
import io.meridian.config.history.whatif.WhatIf;
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
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Simulation of a draft policy on recorded usage. It changes nothing. */
@Path(EntriesResource.BASE + "what-if")
@Blocking
@Produces(MediaType.APPLICATION_JSON)
class WhatIfResource {
    private static final Set<String> FIELDS = Set.of("policy", "basis", Query.FROM, Query.TO);

    private final UsageQueries history;
    private final WhatIf whatIf;

    WhatIfResource(UsageQueries history, WhatIf whatIf) {
        this.history = history;
        this.whatIf = whatIf;
    }

    public record WhatIfResult(
            String from,
            String to,
            String basis,
            long requests,
            long denied,
            double share,
            int keys,
            List<ClientItem> clients,
            List<String> assumptions) {}

    public record ClientItem(String key, long requests, long units, long denied) {}

    @POST
    @RequiresRole(AdminRole.VIEWER)
    @Consumes(MediaType.APPLICATION_JSON)
    public WhatIfResult ask(InputStream body, @Context UriInfo uri) {
        Query.of(uri);
        JsonNode question = JsonBody.read(body);
        JsonBody.requireFields(question, "a what-if", FIELDS);
        if (!question.hasNonNull("policy")) {
            throw Validator.invalid("policy", "nothing", "is required");
        }
        Policy draft = PolicyJson.read(question.get("policy"));
        Optional<String> basis = text(question, "basis");
        basis.filter(id -> !Policy.isId(id)).ifPresent(id -> {
            throw Validator.invalid("basis", id, "must be the id of a policy");
        });
        return whatIf.ask(draft, basis, history.usageRange(time(question, Query.FROM), time(question, Query.TO)))
                .map(answer -> result(answer, draft.limitSpec().cost()))
                .orElseThrow(
                        () -> Refusal.of(AdminErrorCode.BUSY, "other drafts are being tried; try again in a moment"));
    }

    private static WhatIfResult result(WhatIf.Answer answer, long cost) {
        return new WhatIfResult(
                answer.range().from().toString(),
                answer.range().to().toString(),
                answer.basis(),
                answer.requests(),
                answer.denied(),
                answer.share(),
                answer.keys(),
                answer.clients().stream()
                        .map(client -> new ClientItem(
                                client.key(), client.requests(), units(client.requests(), cost), client.denied()))
                        .toList(),
                answer.assumptions());
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
