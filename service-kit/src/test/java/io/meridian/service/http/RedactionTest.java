package io.meridian.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "mrd_0123456789abcdefghijklmnopqrstuvwxyzABCDE_-",
                "mrd%5F0123456789abcdefghijklmnopqrstuvwxyzABCDE_-",
                "5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e",
                "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJtZXJpZGlhbiIsInN1YiI6IjQyIn0.c2lnbmF0dXJl"
            })
    void tokens_are_not_shown(String token) {
        assertThat(Redaction.text("before " + token + " after")).isEqualTo("before (a token) after");
        assertThat(Redaction.text("x".repeat(490) + " " + token)).doesNotContain(token.substring(0, 6));
    }

    @Test
    void what_cannot_be_written_is_replaced() {
        assertThat(Redaction.text("a\u0000b\nc\u0085")).isEqualTo("a\uFFFDb\uFFFDc\uFFFD");
        assertThat(Redaction.text("\ud834x\udd1e\ud834")).isEqualTo("\uFFFDx\uFFFD\uFFFD");
        assertThat(Redaction.text("𝄞 é")).isEqualTo("𝄞 é");
    }

    @Test
    void what_is_long_is_cut_between_characters() {
        assertThat(Redaction.text("x".repeat(500))).hasSize(500);
        assertThat(Redaction.text("x".repeat(501))).hasSize(501).endsWith("x…");
        assertThat(Redaction.text("x".repeat(499) + "𝄞𝄞")).endsWith("𝄞…");
        assertThat(Redaction.value("x".repeat(201))).hasSize(201).endsWith("x…");
    }

    @Test
    void a_token_is_not_shown_wherever_a_long_text_is_cut() {
        String token = "5e".repeat(32);
        for (int before = 0; before < 2_200; before++) {
            assertThat(Redaction.text("x".repeat(before) + token + "y".repeat(5_000)))
                    .doesNotContain("5e5e");
        }
    }
}
