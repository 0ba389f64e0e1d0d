package io.meridian.config.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShownTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "mrd_0123456789abcdefghijklmnopqrstuvwxyzABCDE_-",
                "mrd%5F0123456789abcdefghijklmnopqrstuvwxyzABCDE_-",
                "5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e",
                "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJtZXJpZGlhbiIsInN1YiI6IjQyIn0.c2lnbmF0dXJl"
            })
    void tokens_are_not_shown(String token) {
        assertThat(Shown.text("before " + token + " after")).isEqualTo("before (a token) after");
        assertThat(Shown.text("x".repeat(490) + " " + token)).doesNotContain(token.substring(0, 6));
    }

    @Test
    void what_cannot_be_written_is_replaced() {
        assertThat(Shown.text("a\u0000b\nc\u0085")).isEqualTo("a\uFFFDb\uFFFDc\uFFFD");
        assertThat(Shown.text("\ud834x\udd1e\ud834")).isEqualTo("\uFFFDx\uFFFD\uFFFD");
        assertThat(Shown.text("𝄞 é")).isEqualTo("𝄞 é");
    }

    @Test
    void what_is_long_is_cut_between_characters() {
        assertThat(Shown.text("x".repeat(500))).hasSize(500);
        assertThat(Shown.text("x".repeat(501))).hasSize(501).endsWith("x…");
        assertThat(Shown.text("x".repeat(499) + "𝄞𝄞")).endsWith("𝄞…");
    }
}
