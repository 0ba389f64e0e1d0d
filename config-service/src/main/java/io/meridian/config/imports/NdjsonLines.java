package io.meridian.config.imports;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.meridian.model.rules.ListEntry.ListKind;
import java.io.BufferedReader;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import org.jspecify.annotations.Nullable;

/** A JSON object per line; empty lines are passed over. */
final class NdjsonLines extends LineReader {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private final Reader reader;
    private final ListKind list;
    private long number;

    NdjsonLines(InputStream body, ListKind list) {
        this.reader = new BufferedReader(Lines.text(body), 1 << 16);
        this.list = list;
    }

    @Override
    @Nullable Line read() {
        try {
            String text = line();
            if (text.isBlank()) {
                return null;
            }
            return text.length() > Lines.LENGTH_MAX
                    ? new Line.Wrong(number, "a line must have at most " + Lines.LENGTH_MAX + " characters")
                    : Lines.read(number, MAPPER.readTree(text), list);
        } catch (JsonProcessingException malformed) {
            return new Line.Wrong(number, "must be JSON: " + malformed.getOriginalMessage());
        } catch (CharacterCodingException | CharConversionException malformed) {
            end();
            return new Line.Wrong(number, "must be UTF-8; nothing after it was read");
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** The next line, cut off one character beyond the bound; what is beyond is passed over. */
    private String line() throws IOException {
        number++;
        StringBuilder line = new StringBuilder();
        int c = reader.read();
        while (c >= 0 && c != '\n') {
            if (line.length() <= Lines.LENGTH_MAX) {
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
