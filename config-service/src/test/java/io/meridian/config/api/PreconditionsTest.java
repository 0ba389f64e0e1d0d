package io.meridian.config.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.config.rules.EntryChange.Precondition;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PreconditionsTest {
    @Test
    void headers_become_conditions() {
        assertThat(Preconditions.of(null, null)).isEqualTo(Precondition.ALWAYS);
        assertThat(Preconditions.of(" * ", null)).isEqualTo(new Precondition.Matches(Set.of("*")));
        assertThat(Preconditions.of("\"1\"", null)).isEqualTo(new Precondition.Matches(Set.of("\"1\"")));
        assertThat(Preconditions.of("\"1\" , W/\"2\"", null))
                .isEqualTo(new Precondition.Matches(Set.of("\"1\"", "W/\"2\"")));
        assertThat(Preconditions.of(null, "*")).isEqualTo(new Precondition.Absent());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "\"1", "1\"", "\"1\" \"2\"", "*, \"1\"", "\"é\"", "w/\"1\"", "\"\n\""})
    void what_is_no_tag_is_refused(String header) {
        assertThatThrownBy(() -> Preconditions.of(header, null))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("If-Match");
        assertThatThrownBy(() -> Preconditions.of(null, header))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("If-None-Match");
    }

    @Test
    void both_at_once_are_refused() {
        assertThatThrownBy(() -> Preconditions.of("*", "*")).isInstanceOf(Refusal.class);
        assertThatThrownBy(() -> Preconditions.of("\"" + "1".repeat(1_000) + "\"", null))
                .isInstanceOf(Refusal.class);
    }
}
