package io.meridian.limiter.rules.source;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.util.JsonParserDelegate;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import io.meridian.limiter.file.FollowedFile.RefusedFileException;
import io.meridian.limiter.rules.RuleSet;
import io.meridian.limiter.rules.RuleSet.RuleSetBuilder;
import io.meridian.model.policy.Policy;
import io.meridian.model.rules.LimitOverride;
import io.meridian.model.rules.ListEntry.ListKind;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.rules.Tier;
import io.meridian.model.validation.ValidationException;
import io.meridian.model.wire.EntryCodec;
import io.meridian.model.wire.EntryJson;
import io.meridian.model.wire.PolicyJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.yaml.snakeyaml.LoaderOptions;

/**
 * Reader of a file of rules: entry by entry, so that a large one takes no more than its entries, and strictly: whatever is wrong is
 * named with its line, and then nothing of the file is taken.
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

    /** Entries of a file, checked against each other, and all that is wrong with them. */
    static final class FileEntries {
        /** The message of a file that is wrong throughout is cut here. */
        static final int TOLD_MAX = 50;

        private final RuleSetBuilder builder = new RuleSetBuilder();
        private final Set<RuleEntry.Key> keys = new HashSet<>();
        private final Map<String, Policy> policies = new HashMap<>();
        private final List<Placed> overrides = new ArrayList<>();
        private final List<String> wrong = new ArrayList<>();
        private String defaultTier = "";
        private int wrongCount;

        private record Placed(String place, LimitOverride override) {}

        void refuse(String place, String reason) {
            wrongCount++;
            if (wrong.size() < TOLD_MAX) {
                wrong.add(place + ": " + reason);
            }
        }

        void add(String place, RuleEntry entry) {
            if (!keys.add(entry.key())) {
                refuse(place, "is the second entry for " + EntryCodec.key(entry.key()));
            } else if (!builder.put(entry)) {
                refuse(place, "is one more than there may be");
            }
            if (entry instanceof RuleEntry.OfPolicy policy) {
                policies.put(policy.policy().id(), policy.policy());
            } else if (entry instanceof RuleEntry.OfOverride override) {
                overrides.add(new Placed(place, override.override()));
            } else if (entry instanceof RuleEntry.OfTier tier && tier.tier().isDefault()) {
                defaultTier(place, tier.tier().name());
            }
        }

        /** A tier is the default by its own word or by the file's; both may say so, of the same one. */
        void defaultTier(String place, String name) {
            if (!defaultTier.isEmpty() && !defaultTier.equals(name)) {
                refuse(place, "must leave " + defaultTier + " the only default tier, got " + name);
                return;
            }
            defaultTier = name;
            if (!keys.contains(new RuleEntry.Key.OfTier(name))) {
                try {
                    builder.put(new RuleEntry.OfTier(new Tier(name, "", true)));
                } catch (ValidationException invalid) {
                    refuse(place, String.valueOf(invalid.getMessage()));
                }
            }
        }

        RuleSet publish() throws RefusedFileException {
            for (Placed placed : overrides) {
                check(placed.place, placed.override);
            }
            if (wrongCount > 0) {
                String more = wrongCount > wrong.size() ? "; and " + (wrongCount - wrong.size()) + " more" : "";
                throw new RefusedFileException(String.join("; ", wrong) + more);
            }
            return withDefaultTier(builder.publish());
        }

        private RuleSet withDefaultTier(RuleSet rules) {
            Tier tier = rules.tiers().get(defaultTier);
            if (tier == null || tier.isDefault()) {
                return rules;
            }
            builder.put(new RuleEntry.OfTier(tier.asDefault(true)));
            return builder.publish();
        }

        private void check(String place, LimitOverride override) {
            Policy policy = policies.get(override.policy());
            if (policy == null) {
                refuse(place, "policy must be the id of a policy of this file, got " + override.policy());
                return;
            }
            try {
                policy.limitSpec().with(override.limit(), override.burst());
            } catch (ValidationException unfit) {
                refuse(place, String.valueOf(unfit.getMessage()));
            }
        }
    }

    /**
     * Bounded YAML: so many bytes, so deep, no key twice, and no aliases, whose expansion has no bound and which a reader of events
     * would take for text.
     */
    static final class Yaml {
        static final int BYTES_MAX = 64 << 20;
        static final int DEPTH_MAX = 16;

        private static final ObjectMapper MAPPER = new ObjectMapper(YAMLFactory.builder()
                .loaderOptions(options())
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(DEPTH_MAX)
                        .build())
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build());

        private Yaml() {}

        static JsonParser parser(byte[] bytes) throws IOException {
            return new WithoutAliases((YAMLParser) MAPPER.createParser(bytes));
        }

        private static LoaderOptions options() {
            LoaderOptions options = new LoaderOptions();
            options.setCodePointLimit(BYTES_MAX);
            options.setNestingDepthLimit(DEPTH_MAX);
            options.setAllowDuplicateKeys(false);
            options.setMaxAliasesForCollections(0);
            return options;
        }

        private static final class WithoutAliases extends JsonParserDelegate {
            private final YAMLParser yaml;

            WithoutAliases(YAMLParser yaml) {
                super(yaml);
                this.yaml = yaml;
            }

            @Override
            @SuppressWarnings("deprecation") // what took its place tells of anchors, not of aliases
            public JsonToken nextToken() throws IOException {
                JsonToken token = super.nextToken();
                if (token != null && yaml.isCurrentAlias()) {
                    throw new JsonParseException(this, "an alias: write out what it stands for");
                }
                return token;
            }
        }
    }
}
