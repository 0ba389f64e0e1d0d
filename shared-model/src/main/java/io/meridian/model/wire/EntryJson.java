package io.meridian.model.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.model.policy.AdaptiveTable;
import io.meridian.model.rules.Expiry;
import io.meridian.model.rules.Identifier;
import io.meridian.model.rules.LimitOverride;
import io.meridian.model.rules.ListEntry;
import io.meridian.model.rules.Tier;
import io.meridian.model.rules.Tier.ClientTier;
import io.meridian.model.validation.ValidationException;
import io.meridian.model.validation.Validator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Tiers, overrides and lists as JSON: the form of the API and of files, and of records. The strict form, of the API and of files, refuses a
 * field that does not exist with a {@link MalformedException}; everything else that is wrong is in one {@link ValidationException}, because
 * what is broken is replaced by a harmless part, so that the rest is judged too. Writing is whole and in one order of fields.
 */
public final class EntryJson {
    private static final Set<String> LIST_FIELDS = Set.of("identifier_type", "identifier", "reason", "expires_at");
    private static final Set<String> OVERRIDE_FIELDS =
            Set.of("policy", "identifier_type", "identifier", "limit", "burst", "expires_at");
    private static final Set<String> CLIENT_TIER_FIELDS = Set.of("identifier_type", "identifier", "tier");
    private static final Set<String> TIER_FIELDS = Set.of("name", "description", "default", "upgrade_url");
    private static final Set<String> STEPS_FIELDS = Set.of("steps");
    private static final Set<String> STEP_FIELDS = Set.of("load_percent", "limit_percent");
    private static final Identifier NOBODY = new Identifier("user_id", "absent");

    private EntryJson() {}

    public static ListEntry listEntry(JsonNode document) {
        return listEntry(document, true);
    }

    public static LimitOverride override(JsonNode document) {
        return override(document, true);
    }

    public static ClientTier clientTier(JsonNode document) {
        return clientTier(document, true);
    }

    public static Tier tier(JsonNode document) {
        return tier(document, true);
    }

    /** Reads {@code {"steps": [{"load_percent", "limit_percent"}]}}. */
    public static AdaptiveTable adaptive(JsonNode document) {
        return adaptive(document, true);
    }

    public static ObjectNode toJson(ListEntry entry) {
        return write(entry, json());
    }

    public static ObjectNode toJson(LimitOverride override) {
        return write(override, json());
    }

    public static ObjectNode toJson(ClientTier client) {
        return write(client, json());
    }

    public static ObjectNode toJson(Tier tier) {
        return write(tier, json());
    }

    public static ObjectNode toJson(AdaptiveTable table) {
        return write(table, json());
    }

    private static ObjectNode json() {
        return JsonNodeFactory.instance.objectNode();
    }

    static ListEntry listEntry(JsonNode document, boolean strict) {
        return read(document, "a list entry", LIST_FIELDS, strict, fields -> {
            Identifier identifier = identifier(fields);
            String reason = fields.text("reason", "");
            Expiry expiry = fields.parsed("expires_at", Expiry::parse, Expiry.NEVER);
            return fields.rules()
                    .attempt(() -> new ListEntry(identifier, reason, expiry), new ListEntry(NOBODY, "", Expiry.NEVER));
        });
    }

    static LimitOverride override(JsonNode document, boolean strict) {
        return read(document, "an override", OVERRIDE_FIELDS, strict, fields -> {
            fields.require("policy", "limit");
            String policy = fields.text("policy", "absent");
            Identifier identifier = identifier(fields);
            long limit = fields.number("limit", 1);
            long burst = fields.number("burst", 0);
            Expiry expiry = fields.parsed("expires_at", Expiry::parse, Expiry.NEVER);
            return fields.rules()
                    .attempt(
                            () -> new LimitOverride(policy, identifier, limit, burst, expiry),
                            new LimitOverride("absent", NOBODY, 1, 0, Expiry.NEVER));
        });
    }

    static ClientTier clientTier(JsonNode document, boolean strict) {
        return read(document, "a client tier", CLIENT_TIER_FIELDS, strict, fields -> {
            fields.require("tier");
            Identifier identifier = identifier(fields);
            String tier = fields.text("tier", "absent");
            return fields.rules().attempt(() -> new ClientTier(identifier, tier), new ClientTier(NOBODY, "absent"));
        });
    }

    static Tier tier(JsonNode document, boolean strict) {
        return read(document, "a tier", TIER_FIELDS, strict, fields -> {
            fields.require("name");
            String name = fields.text("name", "absent");
            String description = fields.text("description", "");
            boolean isDefault = fields.flag("default", false);
            Optional<String> upgradeUrl = fields.parsed("upgrade_url", Optional::of, Optional.empty());
            return fields.rules()
                    .attempt(() -> new Tier(name, description, isDefault, upgradeUrl), new Tier("absent", "", false));
        });
    }

    static AdaptiveTable adaptive(JsonNode document, boolean strict) {
        return read(document, "an adaptive table", STEPS_FIELDS, strict, fields -> {
            fields.require("steps");
            List<AdaptiveTable.Step> steps = new ArrayList<>();
            for (JsonFields part : fields.objects("steps")) {
                part.allow(STEP_FIELDS).require("load_percent", "limit_percent");
                int load = part.smallNumber("load_percent", 0);
                int limit = part.smallNumber("limit_percent", 100);
                fields.rules().attempt(() -> steps.add(new AdaptiveTable.Step(load, limit)), false);
            }
            return fields.rules().attempt(() -> new AdaptiveTable(steps), AdaptiveTable.DEFAULT);
        });
    }

    private static Identifier identifier(JsonFields fields) {
        fields.require("identifier_type", "identifier");
        String type = fields.text("identifier_type", NOBODY.type());
        String value = fields.text("identifier", type.equals(Identifier.ADDRESS) ? "::" : NOBODY.value());
        return fields.rules().attempt(() -> new Identifier(type, value), NOBODY);
    }

    private static <T> T read(
            JsonNode document, String what, Set<String> known, boolean strict, Function<JsonFields, T> reader) {
        if (!document.isObject()) {
            throw new MalformedException(what + " must be an object, got " + document.getNodeType(), List.of());
        }
        List<String> unknown = new ArrayList<>();
        Validator rules = new Validator();
        T entry = reader.apply(new JsonFields(document, "", rules, unknown).allow(known));
        if (strict && !unknown.isEmpty()) {
            throw new MalformedException(what + " has no field " + String.join(", ", unknown), unknown);
        }
        rules.throwIfInvalid();
        return entry;
    }

    static ObjectNode write(ListEntry entry, ObjectNode json) {
        writeIdentifier(entry.identifier(), json).put("reason", entry.reason());
        return writeExpiry(entry.expiry(), json);
    }

    static ObjectNode write(LimitOverride override, ObjectNode json) {
        writeIdentifier(override.identifier(), json.put("policy", override.policy()))
                .put("limit", override.limit())
                .put("burst", override.burst());
        return writeExpiry(override.expiry(), json);
    }

    static ObjectNode write(ClientTier client, ObjectNode json) {
        return writeIdentifier(client.identifier(), json).put("tier", client.tier());
    }

    static ObjectNode write(Tier tier, ObjectNode json) {
        json.put("name", tier.name()).put("description", tier.description()).put("default", tier.isDefault());
        tier.upgradeUrl().ifPresent(url -> json.put("upgrade_url", url));
        return json;
    }

    static ObjectNode write(AdaptiveTable table, ObjectNode json) {
        ArrayNode steps = json.putArray("steps");
        table.steps().forEach(step -> steps.addObject()
                .put("load_percent", step.loadPercent())
                .put("limit_percent", step.limitPercent()));
        return json;
    }

    private static ObjectNode writeIdentifier(Identifier identifier, ObjectNode json) {
        return json.put("identifier_type", identifier.type()).put("identifier", identifier.value());
    }

    private static ObjectNode writeExpiry(Expiry expiry, ObjectNode json) {
        return expiry.time()
                .map(time -> json.put("expires_at", time.toString()))
                .orElseGet(() -> json.putNull("expires_at"));
    }
}
