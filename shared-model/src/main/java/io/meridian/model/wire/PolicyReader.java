package io.meridian.model.wire;

import com.fasterxml.jackson.databind.JsonNode;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Window;
import io.meridian.model.policy.Coordination;
import io.meridian.model.policy.Coordination.AfterHeal;
import io.meridian.model.policy.Coordination.Mode;
import io.meridian.model.policy.Coordination.OnExhausted;
import io.meridian.model.policy.Coordination.Scope;
import io.meridian.model.policy.EndpointPattern;
import io.meridian.model.policy.Enforcement;
import io.meridian.model.policy.Enforcement.Action;
import io.meridian.model.policy.Enforcement.OnFailure;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.KeySpec.KeyPart;
import io.meridian.model.policy.LimitSpec;
import io.meridian.model.policy.LimitSpec.EndpointCost;
import io.meridian.model.policy.Policy;
import io.meridian.model.policy.Policy.Revision;
import io.meridian.model.policy.Selector;
import io.meridian.model.validation.Validator;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Reads a policy part by part. A part that is broken is replaced by a harmless one, so that the others are judged too. */
final class PolicyReader {
    static final Set<String> FIELDS = Set.of(
            "id",
            "name",
            "description",
            "applies_to",
            "key",
            "algorithm",
            "limit",
            "window",
            "burst",
            "cost",
            "endpoint_costs",
            "scope",
            "mode",
            "on_exhausted",
            "floor_percent",
            "after_heal",
            "action",
            "soft_limit_percent",
            "priority",
            "enabled",
            "protected",
            "on_failure",
            "adaptive",
            "version",
            "created_at",
            "updated_at");
    static final Set<String> SELECTOR_FIELDS =
            Set.of("endpoints", "methods", "tiers", "headers", "attributes", "regions");
    static final Set<String> COST_FIELDS = Set.of("endpoint", "method", "cost");
    private static final Window ANY_WINDOW = Window.Span.ofSeconds(1);

    private final Validator rules = new Validator();
    private final JsonFields fields;

    private PolicyReader(JsonNode document, List<String> unknown) {
        this.fields = new JsonFields(document, "", rules, unknown).allow(FIELDS);
    }

    /**
     * Reads a policy.
     *
     * @param strict whether a field that does not exist is refused; a stored policy may have fields of a later build
     */
    static Policy read(JsonNode document, boolean strict) {
        if (!document.isObject()) {
            throw new MalformedException("a policy must be a JSON object, got " + document.getNodeType(), List.of());
        }
        List<String> unknown = new ArrayList<>();
        PolicyReader reader = new PolicyReader(document, unknown);
        Selector appliesTo = reader.selector();
        LimitSpec limitSpec = reader.limitSpec();
        if (strict && !unknown.isEmpty()) {
            throw new MalformedException("a policy has no field " + String.join(", ", unknown), unknown);
        }
        return reader.policy(appliesTo, limitSpec);
    }

    private Policy policy(Selector appliesTo, LimitSpec limitSpec) {
        fields.require("id", "key", "algorithm", "limit", "window");
        String id = fields.text("id", "absent");
        String name = fields.text("name", "");
        String description = fields.text("description", "");
        int priority = fields.smallNumber("priority", 0);
        KeySpec key = rules.attempt(() -> new KeySpec(fields.list("key", KeyPart::parse)), KeySpec.ONE_FOR_ALL);
        Coordination coordination = coordination();
        Enforcement enforcement = enforcement();
        boolean enabled = fields.flag("enabled", true);
        boolean isProtected = fields.flag("protected", false);
        Revision revision = revision();
        Policy.checkTexts(rules, id, name, description, priority);
        Policy.checkCombination(rules, limitSpec, coordination, enforcement);
        rules.throwIfInvalid();
        return new Policy(
                id,
                name,
                description,
                appliesTo,
                key,
                limitSpec,
                coordination,
                enforcement,
                priority,
                enabled,
                isProtected,
                revision);
    }

    private Selector selector() {
        return fields.object("applies_to")
                .map(part -> part.allow(SELECTOR_FIELDS))
                .map(part -> rules.attempt(() -> selector(part), Selector.EVERYTHING))
                .orElse(Selector.EVERYTHING);
    }

    private static Selector selector(JsonFields part) {
        return new Selector(
                part.list("endpoints", EndpointPattern::new),
                new LinkedHashSet<>(part.list("methods", Function.identity())),
                new LinkedHashSet<>(part.list("tiers", Function.identity())),
                part.texts("headers"),
                attributes(part),
                new LinkedHashSet<>(part.list("regions", Function.identity())));
    }

    private static Map<String, Set<String>> attributes(JsonFields part) {
        Map<String, Set<String>> attributes = new LinkedHashMap<>();
        part.object("attributes").ifPresent(object -> object.node()
                .fieldNames()
                .forEachRemaining(
                        name -> attributes.put(name, new LinkedHashSet<>(object.list(name, Function.identity())))));
        return attributes;
    }

    private LimitSpec limitSpec() {
        long limit = fields.number("limit", 1);
        Window window = fields.parsed("window", Window::parse, ANY_WINDOW);
        long burst = fields.number("burst", 0);
        long cost = fields.number("cost", 1);
        List<EndpointCost> costs = costs();
        Algorithm fitting = burst > 0 ? Algorithm.TOKEN_BUCKET : Algorithm.FIXED_WINDOW;
        Algorithm algorithm = fields.choice("algorithm", Algorithm.class, fitting, fitting);
        return rules.attempt(
                () -> new LimitSpec(algorithm, limit, window, burst, cost, costs),
                new LimitSpec(algorithm, 1, ANY_WINDOW, 0, 1, List.of()));
    }

    private List<EndpointCost> costs() {
        List<EndpointCost> costs = new ArrayList<>();
        for (JsonFields part : fields.objects("endpoint_costs")) {
            part.allow(COST_FIELDS).require("endpoint", "cost");
            EndpointPattern endpoint = part.parsed("endpoint", EndpointPattern::new, EndpointPattern.EVERYTHING);
            String method = part.text("method", "");
            long cost = part.number("cost", 1);
            rules.attempt(() -> costs.add(new EndpointCost(endpoint, method, cost)), false);
        }
        return costs;
    }

    private Coordination coordination() {
        OnExhausted onExhausted = fields.parsed("on_exhausted", OnExhausted::parse, OnExhausted.DENY);
        AfterHeal afterHeal = fields.choice("after_heal", AfterHeal.class, AfterHeal.FORGIVE, AfterHeal.FORGIVE);
        Mode fittingMode = onExhausted instanceof OnExhausted.Deny ? Mode.CONVERGE : Mode.ESCROW;
        Mode mode = fields.choice("mode", Mode.class, Mode.CONVERGE, fittingMode);
        boolean alone = mode == Mode.CONVERGE && afterHeal == AfterHeal.FORGIVE;
        Scope scope = fields.choice("scope", Scope.class, Scope.REGIONAL, alone ? Scope.REGIONAL : Scope.GLOBAL);
        int floorPercent = fields.smallNumber("floor_percent", Coordination.FLOOR_PERCENT_MAX);
        return rules.attempt(
                () -> new Coordination(scope, mode, onExhausted, floorPercent, afterHeal),
                new Coordination(scope, Mode.CONVERGE, OnExhausted.DENY, AfterHeal.FORGIVE));
    }

    private Enforcement enforcement() {
        Action action = fields.choice("action", Action.class, Action.REJECT, Action.REJECT);
        int softLimitPercent = fields.smallNumber("soft_limit_percent", 0);
        OnFailure onFailure = fields.choice("on_failure", OnFailure.class, OnFailure.LOCAL, OnFailure.LOCAL);
        boolean adaptive = fields.flag("adaptive", false);
        return rules.attempt(
                () -> new Enforcement(action, softLimitPercent, onFailure, adaptive),
                new Enforcement(action, 0, onFailure, adaptive));
    }

    private Revision revision() {
        long version = fields.number("version", 0);
        Instant createdAt = fields.parsed("created_at", PolicyReader::instant, Instant.EPOCH);
        Instant updatedAt = fields.parsed("updated_at", PolicyReader::instant, Instant.EPOCH);
        return rules.attempt(() -> new Revision(version, createdAt, updatedAt), Revision.DRAFT);
    }

    private static Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException malformed) {
            throw Validator.invalid("time", text, "must be an RFC 3339 time in UTC");
        }
    }
}
