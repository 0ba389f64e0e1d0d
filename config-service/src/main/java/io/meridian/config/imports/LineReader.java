package io.meridian.config.imports;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.csv.CsvFactory;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import io.meridian.model.rules.ListEntry.ListKind;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.validation.ValidationException;
import io.meridian.model.wire.EntryJson;
import io.meridian.model.wire.MalformedException;
import java.io.BufferedReader;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Iterator over the lines of an import that reads one line ahead; the subclasses read the formats. */
abstract class LineReader implements Iterator<ImportLine> {
    /** The longest line, in characters; the longest entry has about 1,200. */
    static final int LENGTH_MAX = 8_192;

    private @Nullable ImportLine next;
    private boolean ended;

    /** The next line; null where there is none or it is empty. */
    abstract @Nullable ImportLine read();

    /** Marks the line being read as the last. */
    final void end() {
        ended = true;
    }

    @Override
    public final boolean hasNext() {
        while (next == null && !ended) {
            next = read();
        }
        return next != null;
    }

    @Override
    public final ImportLine next() {
        ImportLine line = hasNext() ? next : null;
        if (line == null) {
            throw new NoSuchElementException();
        }
        next = null;
        return line;
    }

    static ImportLine parse(long number, JsonNode document, ListKind list) {
        try {
            return new ImportLine.Good(number, new RuleEntry.OfList(list, EntryJson.listEntry(document)));
        } catch (ValidationException | MalformedException wrong) {
            return new ImportLine.Wrong(number, String.valueOf(wrong.getMessage()));
        }
    }

    /** Decodes UTF-8 and fails on malformed bytes, instead of replacing them. */
    static Reader utf8(InputStream body) {
        return new InputStreamReader(
                body,
                StandardCharsets.UTF_8
                        .newDecoder()
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .onUnmappableCharacter(CodingErrorAction.REPORT));
    }

    /**
     * Reader of CSV whose first line names the columns: identifier_type, identifier, and optionally reason and expires_at. A
     * syntax error ends the reading, because the begin of the next line is unknown.
     */
    static final class CsvLines extends LineReader {
        private static final CsvMapper MAPPER = CsvMapper.builder(CsvFactory.builder()
                        .streamReadConstraints(StreamReadConstraints.builder()
                                .maxStringLength(LENGTH_MAX)
                                .build())
                        .build())
                .enable(CsvParser.Feature.SKIP_EMPTY_LINES)
                .enable(CsvParser.Feature.FAIL_ON_MISSING_COLUMNS)
                .build();

        private final Reader text;
        private final ListKind list;
        private @Nullable MappingIterator<Map<String, String>> rows;

        CsvLines(InputStream body, ListKind list) {
            this.text = utf8(body);
            this.list = list;
        }

        @Override
        @Nullable ImportLine read() {
            try {
                MappingIterator<Map<String, String>> open = rows();
                if (!open.hasNextValue()) {
                    end();
                    return null;
                }
                long number = line();
                return parse(number, document(open.nextValue()), list);
            } catch (CharacterCodingException malformed) {
                return last("must be UTF-8");
            } catch (JsonProcessingException malformed) {
                return last("must be CSV: " + malformed.getOriginalMessage());
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        }

        private MappingIterator<Map<String, String>> rows() throws IOException {
            if (rows == null) {
                rows = MAPPER.readerForMapOf(String.class)
                        .with(CsvSchema.emptySchema().withHeader())
                        .readValues(text);
            }
            return rows;
        }

        private ImportLine last(String reason) {
            end();
            return new ImportLine.Wrong(line(), reason + "; nothing after it was read");
        }

        private static ObjectNode document(Map<String, String> row) {
            ObjectNode document = JsonNodeFactory.instance.objectNode();
            row.forEach((column, value) -> {
                if (!column.equals("expires_at") || !value.isEmpty()) {
                    document.put(column, value);
                }
            });
            return document;
        }

        private long line() {
            return rows == null ? 1 : rows.getCurrentLocation().getLineNr();
        }
    }

    /** Reader of one JSON object per line; empty lines are skipped. */
    static final class NdjsonLines extends LineReader {
        private static final ObjectMapper MAPPER = JsonMapper.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .build();

        private final Reader reader;
        private final ListKind list;
        private long number;

        NdjsonLines(InputStream body, ListKind list) {
            this.reader = new BufferedReader(utf8(body), 1 << 16);
            this.list = list;
        }

        @Override
        @Nullable ImportLine read() {
            try {
                String text = line();
                if (text.isBlank()) {
                    return null;
                }
                return text.length() > LENGTH_MAX
                        ? new ImportLine.Wrong(number, "a line must have at most " + LENGTH_MAX + " characters")
                        : parse(number, MAPPER.readTree(text), list);
            } catch (JsonProcessingException malformed) {
                return new ImportLine.Wrong(number, "must be JSON: " + malformed.getOriginalMessage());
            } catch (CharacterCodingException | CharConversionException malformed) {
                end();
                return new ImportLine.Wrong(number, "must be UTF-8; nothing after it was read");
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        }

        /** The next line, cut off one character beyond the bound; the rest is skipped. */
        private String line() throws IOException {
            number++;
            StringBuilder line = new StringBuilder();
            int c = reader.read();
            while (c >= 0 && c != '\n') {
                if (line.length() <= LENGTH_MAX) {
                    line.append((char) c);
                }
                c = reader.read();
            }
            if (c < 0) {
                end();
            }
            return line.toString();
        }
    }
}
