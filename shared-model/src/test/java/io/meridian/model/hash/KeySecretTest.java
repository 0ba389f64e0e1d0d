package io.meridian.model.hash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeySecretTest {
    private static final String DIGITS = "000102030405060708090a0b0c0d0e0f";

    @Test
    void its_digits_are_the_bytes_of_the_key_in_their_order() {
        byte[] message = {0, 1, 2};

        assertThat(KeySecret.parse(DIGITS).hash().of(message, 0, 3)).isEqualTo(0x85676696d7fb7e2dL);
        assertThat(KeySecret.parse(DIGITS.toUpperCase(java.util.Locale.ROOT)).check())
                .isEqualTo(KeySecret.parse(DIGITS).check());
    }

    @Test
    void it_comes_from_the_setting_or_from_a_file_whose_last_line_may_end() {
        String check = KeySecret.parse(DIGITS).check();

        assertThat(KeySecret.configured(Optional.of(DIGITS), Optional.empty()).check())
                .isEqualTo(check);
        assertThat(KeySecret.configured(Optional.empty(), Optional.of(DIGITS + "\n"))
                        .check())
                .isEqualTo(check);
    }

    @Test
    void without_one_the_error_names_the_settings() {
        assertThatThrownBy(() -> KeySecret.configured(Optional.empty(), Optional.empty()))
                .hasMessageContaining("meridian.keys.secret or meridian.keys.secret-file must be set")
                .hasMessageContaining("32 hex digits");
        assertThatThrownBy(() -> KeySecret.configured(Optional.of(DIGITS), Optional.of(DIGITS)))
                .hasMessage("of meridian.keys.secret and meridian.keys.secret-file only one may be set");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "000102030405060708090a0b0c0d0e0",
                "000102030405060708090a0b0c0d0e0f0",
                "000102030405060708090a0b0c0d0e0g",
                " 00102030405060708090a0b0c0d0e0f"
            })
    void a_malformed_one_is_refused_by_the_name_of_its_setting_and_is_not_repeated(String digits) {
        assertThatThrownBy(() -> KeySecret.configured(Optional.of(digits), Optional.empty()))
                .hasMessage("meridian.keys.secret must be 32 hex digits, got " + digits.length() + " characters");
        assertThatThrownBy(() -> KeySecret.configured(Optional.empty(), Optional.of(digits)))
                .hasMessageStartingWith("meridian.keys.secret-file must be 32 hex digits, got ");
    }

    @Test
    void its_check_tells_secrets_apart_and_its_text_shows_no_more() {
        KeySecret one = KeySecret.parse(DIGITS);
        KeySecret other = KeySecret.parse("100102030405060708090a0b0c0d0e0f");

        assertThat(one.check()).hasSize(8).isNotEqualTo(other.check());
        assertThat(one).hasToString("KeySecret[check=" + one.check() + "]");
    }
}
