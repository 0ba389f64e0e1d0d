package io.meridian.model.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.model.access.TokenEntry.TokenScope;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenListTest {
    private static final String TOKEN = TokenText.of(new byte[TokenText.RANDOM_BYTES]);
    private static final String HASH = "ab".repeat(32);
    private static final String OTHER_HASH = "cd".repeat(32);

    @Test
    void a_line_has_a_name_scopes_and_a_hash() {
        TokenList list = TokenList.parse("# callers\n\ncheckout  check\tsha256:" + HASH
                + "\r\n  jobs operate,check sha256:" + OTHER_HASH.toUpperCase(Locale.ROOT) + "  \n");

        assertThat(list.tokens()).extracting(TokenEntry::name).containsExactly("checkout", "jobs");
        assertThat(list.tokens().get(1).scopes()).isEqualTo(Set.of(TokenScope.CHECK, TokenScope.OPERATE));
        assertThat(list.tokens())
                .extracting(TokenEntry::line)
                .containsExactly("checkout check sha256:" + HASH, "jobs check,operate sha256:" + OTHER_HASH);
    }

    @Test
    void a_token_is_known_by_its_hash() {
        TokenEntry entry = new TokenEntry("jobs", Set.of(TokenScope.LOAD), TokenHash.of(TOKEN));
        TokenHash kept = TokenList.parse(entry.line()).tokens().get(0).hash();

        assertThat(kept.isSame(TokenHash.of(TOKEN))).isTrue();
        assertThat(kept.isSame(TokenHash.of(TOKEN + "x"))).isFalse();
        assertThat(kept.index()).hasSize(32).isEqualTo(TokenHash.of(TOKEN).index());
        assertThat(entry.line()).doesNotContain(TOKEN);
        assertThat(entry.toString()).doesNotContain(entry.hash().hex());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jobs check                     | line 2: a line must be: name scopes sha256:hash",
                "jobs check HASH                | line 2: a line must be: name scopes sha256:hash; the token itself",
                "jobs check TOKEN               | line 2: a line must be: name scopes sha256:hash; the token itself",
                "jobs check sha256:abc          | line 2: a hash must have 64 hexadecimal digits",
                "jobs check sha256:TOKEN        | line 2: a hash must have 64 hexadecimal digits",
                "TOKEN check sha256:HASH        | line 2: the name must have 1 to 40 characters",
                "HASH check sha256:HASH         | line 2: the name must have 1 to 40 characters",
                "Jobs check sha256:HASH         | line 2: the name must have 1 to 40 characters",
                "anonymous check sha256:HASH    | line 2: the name anonymous is reserved",
                "jobs reset sha256:HASH         | line 2: scopes must be of check, operate, load, got 'reset'",
                "jobs TOKEN sha256:HASH         | line 2: scopes must be of check, operate, load",
                "jobs check,,load sha256:HASH   | line 2: scopes must be of check, operate, load, got ''",
                "jobs check,check sha256:HASH   | line 2: the scope check is given twice",
                "first load sha256:HASH         | line 2: the name first was given before",
                "jobs load sha256:FIRST         | line 2: the hash was given before, under another name",
                "jobs check , load sha256:HASH  | line 2: a line must be: name scopes sha256:hash"
            })
    void a_wrong_line_is_named_with_its_reason_and_without_its_secrets(String line, String reason) {
        String second =
                line.strip().replace("TOKEN", TOKEN).replace("HASH", HASH).replace("FIRST", OTHER_HASH);

        assertThatThrownBy(() -> TokenList.parse("first check sha256:" + OTHER_HASH + "\n" + second))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(reason.strip())
                .message()
                .doesNotContain(TOKEN)
                .doesNotContain(HASH);
    }

    @Test
    void all_wrong_lines_are_named_up_to_a_bound() {
        assertThatThrownBy(() -> TokenList.parse("a\n" + "b check sha256:" + HASH + "\nc x"))
                .hasMessageContaining("line 1: ")
                .hasMessageContaining("line 3: ")
                .message()
                .doesNotContain("line 2: ");
        assertThatThrownBy(() -> TokenList.parse("x\n".repeat(30)))
                .hasMessageContaining("line 10: ")
                .message()
                .doesNotContain("line 11: ");
    }

    @Test
    void an_empty_list_is_refused_and_so_is_one_beyond_the_bound() {
        assertThatThrownBy(() -> TokenList.parse("")).hasMessage("line 1: there must be at least one token");
        assertThatThrownBy(() -> TokenList.parse("# none\n")).hasMessage("line 1: there must be at least one token");
        assertThat(TokenList.parse(lines(TokenList.TOKENS_MAX)).tokens()).hasSize(TokenList.TOKENS_MAX);
        assertThatThrownBy(() -> TokenList.parse(lines(TokenList.TOKENS_MAX + 1)))
                .hasMessage("line 257: there must be at most 256 tokens");
        assertThatThrownBy(() -> TokenList.parse("#".repeat(TokenList.BYTES_MAX + 1)))
                .hasMessageContaining("must have at most 65536 characters");
    }

    private static String lines(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new TokenEntry("t-" + i, Set.of(TokenScope.CHECK), TokenHash.of("token " + i)).line())
                .collect(Collectors.joining("\n"));
    }
}
