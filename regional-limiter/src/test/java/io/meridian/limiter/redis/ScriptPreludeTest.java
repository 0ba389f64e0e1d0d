package io.meridian.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.TestKeys;
import io.meridian.limiter.redis.CounterCodec.RequestField;
import io.meridian.limiter.redis.CounterCodec.RequestKind;
import io.meridian.limiter.redis.PackedField.Cursor;
import io.meridian.limiter.redis.PackedField.Width;
import io.meridian.model.usage.SharingMode;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
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

class ScriptPreludeTest {
    private static final Pattern NAME = Pattern.compile("\\b[A-Z][A-Z0-9_]+\\b");
    private static final Pattern DEFINITION = Pattern.compile("(?m)^local ([A-Z][A-Z0-9_]+(?:, [A-Z][A-Z0-9_]+)*) = ");
    private static final Set<String> REDIS = Set.of("KEYS", "ARGV");

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
    void a_changed_enum_changes_the_numbers_that_scripts_use() {
        assertThat(ScriptPrelude.of(Before.values(), each -> each.name().length()))
                .isEqualTo("local TAKE = 4\nlocal PEEK = 4\n");
        assertThat(ScriptPrelude.of(After.values(), each -> each == After.PEEK ? 1 : 7))
                .isEqualTo("local TAKE = 7\nlocal PEEK = 1\nlocal CHARGE = 7\n");
    }

    @Test
    void a_changed_record_changes_the_format_that_scripts_use() {
        assertThat(ScriptPrelude.of("R", Sample.COUNT, Sample.NAME)).isEqualTo("local R_FORMAT = '>I6i8'\n");
        assertThat(ScriptPrelude.of("R", Sample.NAME, Sample.COUNT)).isEqualTo("local R_FORMAT = '>i8I6'\n");
    }

    @Test
    void the_enums_and_records_of_requests_are_in_it() {
        assertThat(ScriptPrelude.text())
                .contains(ScriptPrelude.of(RequestKind.values(), RequestKind::code))
                .contains(ScriptPrelude.of(SharingMode.values(), SharingMode::code))
                .contains(ScriptPrelude.of("REQUEST", RequestField.values()))
                .contains("local STALE_INCARNATION = 'STALEINCARNATION'\n");
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void every_constant_of_a_script_is_defined_once(Script script) {
        assertThat(script.text()).startsWith(ScriptPrelude.text());
        List<String> defined = definitions(script.text());
        assertThat(defined).doesNotHaveDuplicates();
        Set<String> used = names(script.text());
        used.removeAll(REDIS);
        assertThat(defined).containsAll(used);
    }

    @Test
    void every_constant_is_used_by_a_script() {
        Set<String> used = new TreeSet<>();
        scripts()
                .forEach(script -> used.addAll(
                        names(script.text().substring(ScriptPrelude.text().length()))));
        // Codes of an enum are there as a whole, used or not.
        List<String> codes = definitions(ScriptPrelude.of(SharingMode.values(), SharingMode::code));
        List<String> defined = new ArrayList<>(definitions(ScriptPrelude.text()));
        defined.removeAll(codes);
        defined.removeAll(List.of("TOKEN_BUCKET", "GCRA", "TAKE"));
        assertThat(used).containsAll(defined);
    }

    /** The negative control of the two tests above: a second definition, or a name of no constant. */
    @Test
    void a_second_definition_and_an_undefined_name_are_found() {
        String text = ScriptPrelude.text() + "local PEEK = 7\nreturn MISSING";

        assertThat(definitions(text))
                .contains("PEEK", "PEEK")
                .filteredOn("PEEK"::equals)
                .hasSize(2);
        assertThat(definitions(text)).doesNotContain("MISSING");
        assertThat(names(text)).contains("MISSING");
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
