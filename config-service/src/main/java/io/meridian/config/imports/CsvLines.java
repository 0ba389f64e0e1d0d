package io.meridian.config.imports;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.csv.CsvFactory;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import io.meridian.model.rules.ListEntry.ListKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * CSV whose first line names the columns: identifier_type, identifier, and if wanted reason and expires_at. What is no CSV ends
 * the reading, because nobody can tell where the next line begins.
 */
final class CsvLines extends LineReader {
    private static final CsvMapper MAPPER = CsvMapper.builder(CsvFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxStringLength(Lines.LENGTH_MAX)
                            .build())
                    .build())
            .enable(CsvParser.Feature.SKIP_EMPTY_LINES)
            .enable(CsvParser.Feature.FAIL_ON_MISSING_COLUMNS)
            .build();

    private final Reader text;
    private final ListKind list;
    private @Nullable MappingIterator<Map<String, String>> rows;

    CsvLines(InputStream body, ListKind list) {
        this.text = Lines.text(body);
        this.list = list;
    }

    @Override
    @Nullable Line read() {
        try {
            MappingIterator<Map<String, String>> open = rows();
            if (!open.hasNextValue()) {
                end();
                return null;
            }
            long number = line();
            return Lines.read(number, document(open.nextValue()), list);
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

    private Line last(String reason) {
        end();
        return new Line.Wrong(line(), reason + "; nothing after it was read");
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
