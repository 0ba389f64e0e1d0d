package io.meridian.config.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.meridian.config.access.AdminRole;
import io.meridian.config.api.AccessFilter.RequiresRole;
import io.meridian.config.explain.CheckExplainer;
import io.meridian.config.explain.CheckExplainer.Question;
import io.meridian.config.explain.Explanation;
import io.meridian.config.regions.KnownRegions;
import io.meridian.model.match.Check;
import io.meridian.model.validation.FieldError;
import io.meridian.model.validation.ValidationException;
import io.meridian.model.validation.Validator;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.jspecify.annotations.Nullable;

/** Explanation of a check: every policy, matched or not and why not, the state of its limits, and the answer. It consumes nothing. */
@Path(EntriesResource.BASE + "explain")
@Blocking
@Produces(MediaType.APPLICATION_JSON)
class ExplainResource {
    private static final String EXAMPLE = """
            {"region": "us-east", "check": {"attributes": {"user_id": "42"}, "endpoint": "/api/v1/users", "method": "GET",
             "headers": {"x-plan": "beta"}, "cost": 1}}""";

    private final CheckExplainer explainer;
    private final KnownRegions regions;

    ExplainResource(CheckExplainer explainer, KnownRegions regions) {
        this.explainer = explainer;
        this.regions = regions;
    }

    /** Body of the call, for the schema; it is read by {@link QuestionReader}, which names every error. */
    public record ExplainRequest(@Nullable String region, CheckBody check) {}

    /** Body of a check, as limiters take it. */
    public record CheckBody(
            Map<String, String> attributes,
            @Nullable String endpoint,
            @Nullable String method,
            @Nullable Map<String, String> headers,
            @Nullable Long cost,
            @Nullable List<String> policies) {}

    @POST
    @RequiresRole(AdminRole.VIEWER)
    @Consumes(MediaType.APPLICATION_JSON)
    public Explanation explain(
            @RequestBody(
                            required = true,
                            content =
                                    @Content(
                                            mediaType = MediaType.APPLICATION_JSON,
                                            schema = @Schema(implementation = ExplainRequest.class),
                                            example = EXAMPLE))
                    InputStream body,
            @Context UriInfo uri) {
        Query.of(uri);
        JsonNode document = JsonBody.read(body);
        JsonBody.requireFields(document, "an explanation", Set.of("region", "check"));
        Set<String> known = regions.names();
        Optional<String> region = region(document.path("region"), known);
        return explainer.explain(new QuestionReader(document.path("check")).read(region), known);
    }

    private static Optional<String> region(JsonNode region, Set<String> known) {
        if (region.isMissingNode() || region.isNull()) {
            return Optional.empty();
        }
        if (!region.isTextual() || !known.contains(region.asText())) {
            throw Validator.invalid(
                    "region",
                    region.isTextual() ? region.asText() : region,
                    "must be a region that exists: one of " + String.join(", ", known)
                            + "; all of them if it is absent");
        }
        return Optional.of(region.asText());
    }

    /** Reader of a check. Errors are collected, and their fields begin with {@code check.}. */
    private static final class QuestionReader {
        private static final Set<String> FIELDS =
                Set.of("attributes", "endpoint", "method", "headers", "cost", "policies", "request_id");

        private final JsonNode check;
        private final Validator rules = new Validator();

        QuestionReader(JsonNode check) {
            this.check = check;
        }

        Question read(Optional<String> region) {
            if (check.isMissingNode() || check.isNull()) {
                throw Validator.invalid("check", "nothing", "is required");
            }
            JsonBody.requireFields(check, "check", FIELDS);
            Map<String, String> attributes = texts("attributes");
            String endpoint = text("endpoint");
            String method = text("method");
            Map<String, String> headers = texts("headers");
            long cost = cost();
            List<String> policies = policies();
            text("request_id");
            try {
                rules.throwIfInvalid();
                return new Question(
                        new Check(attributes, endpoint, method, headers, "", cost, policies), endpoint, region);
            } catch (ValidationException invalid) {
                throw new ValidationException(invalid.errors().stream()
                        .map(each -> new FieldError("check." + each.field(), each.value(), each.rule()))
                        .toList());
            }
        }

        private String text(String field) {
            JsonNode value = check.path(field);
            boolean absent = value.isMissingNode() || value.isNull();
            rules.require(absent || value.isTextual(), field, value, "must be a text");
            return absent ? "" : value.asText();
        }

        private long cost() {
            JsonNode value = check.path("cost");
            boolean absent = value.isMissingNode() || value.isNull();
            boolean whole = value.isIntegralNumber() && value.canConvertToLong();
            rules.require(absent || whole, "cost", value, "must be a whole number");
            return absent || !whole ? 1 : value.asLong();
        }

        private Map<String, String> texts(String field) {
            JsonNode value = check.path(field);
            Map<String, String> texts = new LinkedHashMap<>();
            if (value.isMissingNode() || value.isNull()) {
                return texts;
            }
            rules.require(value.isObject(), field, value, "must be an object");
            value.properties().forEach(entry -> {
                rules.require(
                        entry.getValue().isTextual(), field + "." + entry.getKey(), entry.getValue(), "must be a text");
                texts.put(entry.getKey(), entry.getValue().asText());
            });
            return texts;
        }

        private List<String> policies() {
            JsonNode value = check.path("policies");
            List<String> policies = new ArrayList<>();
            if (value.isMissingNode() || value.isNull()) {
                return policies;
            }
            rules.require(value.isArray(), "policies", value, "must be a list");
            value.forEach(each -> {
                rules.require(each.isTextual(), "policies", each, "must be texts");
                policies.add(each.asText());
            });
            return policies;
        }
    }
}
