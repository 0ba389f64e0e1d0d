package io.meridian.stack.rules;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reads the sections of one file, entry by entry, strictly; what is wrong is told with its line, and the rest is read too. */
final class FileSections {
    private static final String DEFAULT_TIER = "default_tier";
    private static final String TITLES =
            Section.ALL.stream().map(Section::title).collect(Collectors.joining(", ", DEFAULT_TIER + ", ", ""));

    private final String file;
    private final JsonParser parser;
    private final FileReading reading;

    FileSections(String file, JsonParser parser, FileReading reading) {
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
            put(section, section.title(), JsonNodeFactory.instance.objectNode().set("steps", steps), line);
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
            reading.put(new Placed(section.read(document), file, line));
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
