package io.meridian.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.TestKeys;
import io.meridian.limiter.redis.CounterCodec.RequestField;
import io.meridian.limiter.redis.CounterCodec.RequestKind;
import io.meridian.limiter.redis.PackedField.Cursor;
import io.meridian.limiter.redis.PackedField.Width;
import io.meridian.model.usage.SharingMode;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ScriptConstantsTest {
    private static final Pattern NAME = Pattern.compile("\\b[A-Z][A-Z0-9_]+\\b");
    private static final Pattern DEFINITION = Pattern.compile("(?m)^local ([A-Z][A-Z0-9_]+(?:, [A-Z][A-Z0-9_]+)*) = ");
    private static final Set<String> REDIS = Set.of("KEYS", "ARGV");
    private static final List<String> PARTS = List.of(
            "lib/call",
            "lib/account",
            "algorithm/fixed_window",
            "algorithm/sliding_window",
            "algorithm/sliding_log_list",
            "algorithm/sliding_window_estimate",
            "algorithm/bucket",
            "algorithm/global",
            "count",
            "collect",
            "reported",
            "verdict",
            "reconcile",
            "incarnation");

    private enum Before {
        TAKE,
        PEEK
    }

    private enum After {
        TAKE,
        PEEK,
        CHARGE
    }

    private enum Sample implements PackedField {
        COUNT,
        NAME;

        @Override
        public Width width() {
            return this == COUNT ? Width.U48 : Width.S64;
        }
    }

    static Stream<Script> scripts() {
        return Stream.concat(
                Stream.of(CounterScript.load(TestKeys.KEYS).script(), Script.load(List.of("incarnation"))),
                Stream.of("collect", "reported", "verdict", "reconcile")
                        .map(name -> Script.load(List.of("lib/call", "lib/account", name))));
    }

    @Test
    void a_changed_enum_changes_the_numbers_in_scripts() {
        String text = "if kind == PEEK then return TAKE end -- PEEK 'TAKE'";

        assertThat(ScriptConstants.expand(
                        text, Before.values(), each -> each.name().length()))
                .isEqualTo("if kind == 4 then return 4 end -- PEEK 'TAKE'");
        assertThat(ScriptConstants.expand(text, After.values(), each -> each == After.PEEK ? 1 : 7))
                .isEqualTo("if kind == 1 then return 7 end -- PEEK 'TAKE'");
    }

    @Test
    void a_changed_record_changes_the_format_in_scripts() {
        assertThat(ScriptConstants.expand("pack(R_FORMAT, 1)", "R", Sample.COUNT, Sample.NAME))
                .isEqualTo("pack('>I6i8', 1)");
        assertThat(ScriptConstants.expand("pack(R_FORMAT, 1)", "R", Sample.NAME, Sample.COUNT))
                .isEqualTo("pack('>i8I6', 1)");
    }

    @Test
    void the_enums_and_records_of_requests_are_among_them() {
        for (RequestKind kind : RequestKind.values()) {
            assertThat(ScriptConstants.expand(kind.name())).isEqualTo(Integer.toString(kind.code()));
        }
        for (SharingMode sharing : SharingMode.values()) {
            assertThat(ScriptConstants.expand(sharing.name())).isEqualTo(Integer.toString(sharing.code()));
        }
        assertThat(ScriptConstants.expand("REQUEST_FORMAT"))
                .isEqualTo("'" + PackedField.format(RequestField.values()) + "'");
        assertThat(ScriptConstants.expand("STALE_INCARNATION")).isEqualTo("'STALEINCARNATION'");
    }

    /** So every name of a script is either a shared constant, whose value is in its place, or its own. */
    @ParameterizedTest
    @MethodSource("scripts")
    void every_name_that_is_left_in_a_script_is_its_own_and_none_of_the_shared_ones(Script script) {
        List<String> defined = definitions(script.text());
        Set<String> used = names(script.text());
        used.removeAll(REDIS);
        assertThat(defined).doesNotHaveDuplicates().containsAll(used);
        assertThat(defined).doesNotContainAnyElementsOf(ScriptConstants.names());
    }

    /** Codes of an enum are there as a whole, used or not. */
    @Test
    void every_constant_is_used_by_a_script() {
        Set<String> used = new TreeSet<>();
        for (String part : PARTS) {
            used.addAll(names(resource(part)));
        }
        List<String> unused = new ArrayList<>(ScriptConstants.names());
        unused.removeAll(used);
        assertThat(unused).containsExactlyInAnyOrder("TOKEN_BUCKET", "GCRA", "TAKE", "REGIONAL", "CONVERGE");
    }

    /** The negative control of the two tests above: a script that defines a shared constant itself, or names one that does not exist. */
    @Test
    void a_second_definition_and_an_undefined_name_are_found() {
        assertThat(definitions("local PEEK, OWN = 7, 8\nreturn MISSING")).containsExactly("PEEK", "OWN");
        assertThat(names("local PEEK, OWN = 7, 8\nreturn MISSING")).containsExactly("MISSING", "OWN", "PEEK");
        assertThat(ScriptConstants.names()).contains("PEEK").doesNotContain("OWN", "MISSING");
        assertThat(ScriptConstants.expand("local PEEK, OWN = 7, 8")).isEqualTo("local 2, OWN = 7, 8");
    }

    @ParameterizedTest
    @EnumSource
    void a_field_is_read_as_it_was_written(Width width) {
        long largest = width.bytes() == Long.BYTES ? Long.MAX_VALUE : (1L << (8 * width.bytes())) - 1;
        PackedField field = () -> width;
        for (long value : new long[] {0, 1, largest / 3, largest}) {
            Buffer packed = Buffer.buffer().appendByte((byte) 7);
            field.append(packed, value);
            field.append(packed, 1);

            Cursor read = new Cursor(packed, 1);

            assertThat(packed.length()).isEqualTo(1 + 2 * width.bytes());
            assertThat(read.next(field)).isEqualTo(value);
            assertThat(read.next(field)).isEqualTo(1);
        }
    }

    private static String resource(String part) {
        try (InputStream in = Script.class.getResourceAsStream("/lua/" + part + ".lua")) {
            return new String(Objects.requireNonNull(in, part).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(part, e);
        }
    }

    private static List<String> definitions(String text) {
        return DEFINITION
                .matcher(text)
                .results()
                .flatMap(names -> Stream.of(names.group(1).split(", ")))
                .toList();
    }

    /** Names in capitals outside of comments and strings. */
    private static Set<String> names(String text) {
        String code = text.replaceAll("(?m)--.*$", "").replaceAll("'[^']*'", "''");
        return NAME.matcher(code).results().map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
    }
}
