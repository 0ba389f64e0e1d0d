package io.meridian.stack.rules;

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
import io.meridian.model.rules.RuleEntry;
import io.meridian.stack.rules.RuleFile.PlacedEntry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.LoaderOptions;

/** Reader of several rule files as one: collects their entries and everything that is wrong with them. */
final class RuleFileReader {
    private static final int TOLD_MAX = 50;

    private final Set<Section> sections = EnumSet.noneOf(Section.class);
    private final Map<RuleEntry.Key, PlacedEntry> entries = new LinkedHashMap<>();
    private final List<String> wrong = new ArrayList<>();
    private int wrongCount;
    private String defaultTier = "";
    private String defaultPlace = "";

    void add(Path file) {
        String name = file.toString();
        try (InputStream in = Files.newInputStream(file)) {
            long bytes = Files.size(file);
            if (bytes > StrictYaml.BYTES_MAX) {
                refuse(name, "must have at most " + StrictYaml.BYTES_MAX + " bytes, got " + bytes);
                return;
            }
            add(name, in);
        } catch (NoSuchFileException missing) {
            refuse(name, "does not exist");
        } catch (IOException unreadable) {
            refuse(name, "cannot be read: " + unreadable.getMessage());
        }
    }

    void addResource(String name) {
        try (InputStream in = RuleFileReader.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new RuleFailure(name + " is missing from the command's jar");
            }
            add(name, in);
        } catch (IOException unreadable) {
            refuse(name, "cannot be read: " + unreadable.getMessage());
        }
    }

    private void add(String name, InputStream in) throws IOException {
        try (JsonParser parser = StrictYaml.parser(in)) {
            new FileSections(name, parser, this).read();
        } catch (JsonProcessingException malformed) {
            String place = malformed.getLocation() == null
                    ? name
                    : name + ":" + malformed.getLocation().getLineNr();
            // The lines that are set in show the place once more.
            String reason = malformed
                    .getOriginalMessage()
                    .lines()
                    .filter(line -> !line.startsWith(" "))
                    .collect(Collectors.joining(", "));
            refuse(place, "must be YAML: " + reason);
        }
    }

    void refuse(String place, String reason) {
        wrongCount++;
        if (wrong.size() < TOLD_MAX) {
            wrong.add(place + ": " + reason);
        }
    }

    void has(Section section) {
        sections.add(section);
    }

    void put(PlacedEntry placed) {
        if (entries.size() == RuleFile.ENTRIES_MAX) {
            throw new RuleFailure(placed.place() + ": is one more than the " + RuleFile.ENTRIES_MAX
                    + " entries this command takes; long lists are for the import of the admin API");
        }
        PlacedEntry other = entries.putIfAbsent(placed.entry().key(), placed);
        if (other != null) {
            refuse(placed.place(), DiffText.name(placed.entry().key()) + " stands at " + other.place() + " already");
        } else if (placed.entry() instanceof RuleEntry.OfTier tier
                && tier.tier().isDefault()) {
            defaultTier(placed.place(), tier.tier().name());
        }
    }

    /** A tier is the default by its own word or by the file's; both may say so, of the same one. */
    void defaultTier(String place, String name) {
        if (!defaultTier.isEmpty() && !defaultTier.equals(name)) {
            refuse(place, "there is one default tier: " + defaultTier + " by " + defaultPlace + ", got " + name);
            return;
        }
        defaultTier = name;
        defaultPlace = place;
    }

    RuleFile rulebook() {
        if (!defaultTier.isEmpty()) {
            markDefaultTier();
        }
        if (wrongCount > 0) {
            String more = wrongCount > wrong.size() ? "\nand " + (wrongCount - wrong.size()) + " more" : "";
            throw new RuleFailure(String.join("\n", wrong) + more);
        }
        return new RuleFile(sections, entries);
    }

    private void markDefaultTier() {
        PlacedEntry placed = entries.get(new RuleEntry.Key.OfTier(defaultTier));
        if (placed != null && placed.entry() instanceof RuleEntry.OfTier of) {
            RuleEntry marked = new RuleEntry.OfTier(of.tier().asDefault(true));
            entries.put(marked.key(), new PlacedEntry(marked, placed.file(), placed.line()));
        } else {
            refuse(defaultPlace, "default_tier must be one of the tiers of these files, got " + defaultTier);
        }
    }

    /** Reads the sections of one file, entry by entry, strictly; what is wrong is told with its line, and the rest is read too. */
    private static final class FileSections {
        private static final String DEFAULT_TIER = "default_tier";
        private static final String TITLES =
                Section.ALL.stream().map(Section::title).collect(Collectors.joining(", ", DEFAULT_TIER + ", ", ""));

        private final String file;
        private final JsonParser parser;
        private final RuleFileReader reading;

        FileSections(String file, JsonParser parser, RuleFileReader reading) {
            this.file = file;
            this.parser = parser;
            this.reading = reading;
        }

        void read() throws IOException {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                reading.refuse(file, "must be a mapping with some of " + TITLES);
                return;
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String title = parser.currentName();
                int line = line();
                parser.nextToken();
                Optional<Section> section = Section.ALL.stream()
                        .filter(known -> known.title().equals(title))
                        .findFirst();
                if (section.isPresent()) {
                    read(section.get(), line);
                } else if (title.equals(DEFAULT_TIER)) {
                    defaultTier();
                } else {
                    reading.refuse(place(line), title + " is no section; there are " + TITLES);
                    parser.skipChildren();
                }
            }
            if (parser.nextToken() != null) {
                reading.refuse(place(line()), "must be one document");
            }
        }

        private void read(Section section, int line) throws IOException {
            if (isNothing()) {
                reading.has(section);
            } else if (parser.currentToken() != JsonToken.START_ARRAY) {
                reading.refuse(place(line), section.title() + " must be a list");
                parser.skipChildren();
            } else if (section == Section.ADAPTIVE) {
                JsonNode steps = parser.readValueAsTree();
                put(
                        section,
                        section.title(),
                        JsonNodeFactory.instance.objectNode().set("steps", steps),
                        line);
            } else {
                reading.has(section);
                for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
                    int entryLine = line();
                    JsonNode document = parser.readValueAsTree();
                    put(section, section.title() + "[" + i + "]", document, entryLine);
                }
            }
        }

        private void put(Section section, String name, JsonNode document, int line) {
            reading.has(section);
            try {
                reading.put(new PlacedEntry(section.read(document), file, line));
            } catch (IllegalArgumentException wrong) {
                reading.refuse(place(line), name + ": " + wrong.getMessage());
            }
        }

        private void defaultTier() throws IOException {
            if (parser.currentToken() == JsonToken.VALUE_STRING && !isNothing()) {
                reading.defaultTier(place(line()), parser.getText());
            } else if (!isNothing()) {
                reading.refuse(place(line()), DEFAULT_TIER + " must be the name of a tier");
                parser.skipChildren();
            }
        }

        /** A title with nothing after it. */
        private boolean isNothing() throws IOException {
            return parser.currentToken() == JsonToken.VALUE_NULL
                    || (parser.currentToken() == JsonToken.VALUE_STRING
                            && parser.getText().isEmpty());
        }

        private String place(int line) {
            return file + ":" + line;
        }

        private int line() {
            return parser.currentTokenLocation().getLineNr();
        }
    }

    /** YAML within the bounds that the limiter's files have: so long, so deep, no key twice, no aliases. */
    static final class StrictYaml extends JsonParserDelegate {
        static final int BYTES_MAX = 64 << 20;

        private static final int DEPTH_MAX = 16;
        private static final ObjectMapper MAPPER = new ObjectMapper(YAMLFactory.builder()
                .loaderOptions(bounds())
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(DEPTH_MAX)
                        .build())
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build());

        private final YAMLParser yaml;

        private StrictYaml(YAMLParser yaml) {
            super(yaml);
            this.yaml = yaml;
        }

        static JsonParser parser(InputStream in) throws IOException {
            return new StrictYaml((YAMLParser) MAPPER.createParser(in));
        }

        private static LoaderOptions bounds() {
            LoaderOptions bounds = new LoaderOptions();
            bounds.setCodePointLimit(BYTES_MAX);
            bounds.setAllowDuplicateKeys(false);
            return bounds;
        }

        /** An event reader takes an alias for the text of its name. */
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
