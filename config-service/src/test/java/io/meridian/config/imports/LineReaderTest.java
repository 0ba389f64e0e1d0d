package io.meridian.config.imports;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.config.imports.ListImporter.Format;
import io.meridian.model.rules.ListEntry.ListKind;
import io.meridian.model.rules.RuleEntry;
import java.io.ByteArrayInputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineReaderTest {
    @Test
    void csv_has_its_columns_in_any_order_and_quotes_what_it_must() {
        List<ImportLine> lines = read(Format.CSV, """
                identifier,identifier_type,expires_at,reason
                k-1,api_key,,"said ""no"", twice"
                203.0.113.77/24,ip,2027-01-01T00:00:00Z,
                """);

        assertThat(lines).hasSize(2).allMatch(ImportLine.Good.class::isInstance);
        assertThat(entry(lines.get(0)).entry().reason()).isEqualTo("said \"no\", twice");
        assertThat(entry(lines.get(1)).entry().identifier().value()).isEqualTo("203.0.113.0/24");
    }

    @Test
    void each_wrong_line_is_named_with_its_number_and_the_rest_is_read() {
        List<ImportLine> lines = read(Format.NDJSON, """
                {"identifier_type": "api_key", "identifier": "k-1"}

                {"identifier_type": "api_key"}
                {"identifier_type": "api_key", "identifier": "k-2", "colour": "red"}
                nonsense
                {"identifier_type": "api_key", "identifier": "k-3"}""");

        assertThat(lines).extracting(ImportLine::number).containsExactly(1L, 3L, 4L, 5L, 6L);
        assertThat(lines.get(1)).isInstanceOfSatisfying(ImportLine.Wrong.class, wrong -> assertThat(wrong.reason())
                .contains("identifier", "is required"));
        assertThat(lines.get(2)).isInstanceOfSatisfying(ImportLine.Wrong.class, wrong -> assertThat(wrong.reason())
                .contains("colour"));
        assertThat(lines.get(3)).isInstanceOf(ImportLine.Wrong.class);
        assertThat(lines.get(4)).isInstanceOf(ImportLine.Good.class);
    }

    @Test
    void a_csv_line_that_is_wrong_is_named_with_its_number() {
        List<ImportLine> lines = read(Format.CSV, "identifier_type,identifier\napi_key,k-1\nip,nowhere\n");

        assertThat(lines.get(1)).isInstanceOfSatisfying(ImportLine.Wrong.class, wrong -> {
            assertThat(wrong.number()).isEqualTo(3);
            assertThat(wrong.reason()).contains("nowhere");
        });
    }

    @Test
    void what_is_no_csv_ends_the_reading() {
        List<ImportLine> lines = read(Format.CSV, "identifier_type,identifier\napi_key,\"k-1\napi_key,k-2\n");

        assertThat(lines).hasSize(1).allMatch(ImportLine.Wrong.class::isInstance);
    }

    @Test
    void what_is_not_utf_8_is_refused_rather_than_replaced() {
        String text = "{\"identifier_type\": \"user_id\", \"identifier\": \"é\"}";

        assertThat(read(Format.NDJSON, text, StandardCharsets.ISO_8859_1)).allMatch(ImportLine.Wrong.class::isInstance);
        assertThat(read(Format.CSV, "identifier_type,identifier\nuser_id,é\n", StandardCharsets.ISO_8859_1))
                .hasSize(1)
                .allMatch(ImportLine.Wrong.class::isInstance);
    }

    @Test
    void a_line_without_an_end_costs_no_memory() {
        String endless = "x".repeat(1_000_000);

        assertThat(read(Format.NDJSON, endless + "\n{\"identifier_type\": \"user_id\", \"identifier\": \"1\"}"))
                .satisfiesExactly(
                        wrong -> assertThat(wrong).isInstanceOf(ImportLine.Wrong.class),
                        good -> assertThat(good).isInstanceOf(ImportLine.Good.class));
        assertThat(read(Format.CSV, "identifier_type,identifier\nuser_id," + endless + "\n"))
                .allMatch(ImportLine.Wrong.class::isInstance);
    }

    private static RuleEntry.OfList entry(ImportLine line) {
        return (RuleEntry.OfList) ((ImportLine.Good) line).entry();
    }

    private static List<ImportLine> read(Format format, String text) {
        return read(format, text, StandardCharsets.UTF_8);
    }

    private static List<ImportLine> read(Format format, String text, Charset charset) {
        List<ImportLine> lines = new ArrayList<>();
        format.lines(new ByteArrayInputStream(text.getBytes(charset)), ListKind.DENY)
                .forEachRemaining(lines::add);
        return lines;
    }
}
