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
import io.meridian.model.rulebook.ListKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reader of CSV whose first line names the columns: identifier_type, identifier, and optionally reason and expires_at. A
 * syntax error ends the reading, because the begin of the next line is unknown.
 */
final class CsvLines extends LineReader {
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
