package io.meridian.limiter.policy.source;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.meridian.limiter.file.RefusedFileException;
import io.meridian.limiter.policy.RuleSet;
import io.meridian.model.rules.ListEntry.ListKind;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.wire.EntryJson;
import io.meridian.model.wire.PolicyJson;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Reads a file of rules: entry by entry, so that a large one takes no more than its entries, and strictly: whatever is
 * wrong is named with its line, and then nothing of the file is taken.
 */
final class PolicyFile {
    private static final String SECTIONS =
            "policies, tiers, default_tier, client_tiers, overrides, allow_list, deny_list, adaptive";

    private final JsonParser parser;
    private final FileEntries entries = new FileEntries();

    private PolicyFile(JsonParser parser) {
        this.parser = parser;
    }

    static RuleSet read(byte[] yaml) throws RefusedFileException {
        if (yaml.length > Yaml.BYTES_MAX) {
            throw new RefusedFileException("must have at most " + Yaml.BYTES_MAX + " bytes, got " + yaml.length);
        }
        try (JsonParser parser = Yaml.parser(yaml)) {
            return new PolicyFile(parser).read();
        } catch (JsonProcessingException malformed) {
            String line = malformed.getLocation() == null
                    ? ""
                    : "line " + malformed.getLocation().getLineNr() + ": ";
            throw new RefusedFileException(line + "must be YAML: " + firstLine(malformed.getOriginalMessage()));
        } catch (IOException unreadable) {
            throw new RefusedFileException("cannot be read: " + unreadable);
        }
    }

    private RuleSet read() throws IOException, RefusedFileException {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            throw new RefusedFileException("must be a mapping with some of " + SECTIONS);
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String section = parser.currentName();
            parser.nextToken();
            read(section);
        }
        if (parser.nextToken() != null) {
            throw new RefusedFileException("line " + line() + ": must be one document");
        }
        return entries.publish();
    }

    private void read(String section) throws IOException {
        switch (section) {
            case "policies" -> each(section, node -> new RuleEntry.OfPolicy(PolicyJson.read(node)));
            case "tiers" -> each(section, node -> new RuleEntry.OfTier(EntryJson.tier(node)));
            case "client_tiers" -> each(section, node -> new RuleEntry.OfClientTier(EntryJson.clientTier(node)));
            case "overrides" -> each(section, node -> new RuleEntry.OfOverride(EntryJson.override(node)));
            case "allow_list" -> each(section, node -> new RuleEntry.OfList(ListKind.ALLOW, EntryJson.listEntry(node)));
            case "deny_list" -> each(section, node -> new RuleEntry.OfList(ListKind.DENY, EntryJson.listEntry(node)));
            case "default_tier" -> defaultTier();
            case "adaptive" -> adaptive();
            default -> {
                entries.refuse(place(section), "is no section; there are " + SECTIONS);
                parser.skipChildren();
            }
        }
    }

    private void each(String section, Function<JsonNode, RuleEntry> reader) throws IOException {
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            refuseUnlessNull(section, "must be a list");
            return;
        }
        for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
            String place = place(section + "[" + i + "]");
            JsonNode node = parser.readValueAsTree();
            attempt(place, () -> reader.apply(node)).ifPresent(entry -> entries.add(place, entry));
        }
    }

    private void defaultTier() throws IOException {
        String place = place("default_tier");
        if (parser.currentToken() == JsonToken.VALUE_STRING) {
            entries.defaultTier(place, parser.getText());
        } else {
            refuseUnlessNull("default_tier", "must be the name of a tier");
        }
    }

    private void adaptive() throws IOException {
        String place = place("adaptive");
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            refuseUnlessNull("adaptive", "must be a list");
            return;
        }
        JsonNode steps = parser.readValueAsTree();
        JsonNode table = JsonNodeFactory.instance.objectNode().set("steps", steps);
        attempt(place, () -> new RuleEntry.OfAdaptive(EntryJson.adaptive(table)))
                .ifPresent(entry -> entries.add(place, entry));
    }

    /** An empty section says nothing. */
    private void refuseUnlessNull(String section, String rule) throws IOException {
        boolean empty = parser.currentToken() == JsonToken.VALUE_STRING
                && parser.getText().isEmpty();
        if (!empty && parser.currentToken() != JsonToken.VALUE_NULL) {
            entries.refuse(place(section), rule);
            parser.skipChildren();
        }
    }

    private Optional<RuleEntry> attempt(String place, Supplier<RuleEntry> reader) {
        try {
            return Optional.of(reader.get());
        } catch (IllegalArgumentException wrong) {
            entries.refuse(place, String.valueOf(wrong.getMessage()));
            return Optional.empty();
        }
    }

    private String place(String name) {
        return "line " + line() + ": " + name;
    }

    private int line() {
        return parser.currentTokenLocation().getLineNr();
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }
}
