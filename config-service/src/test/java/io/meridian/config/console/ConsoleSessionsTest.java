package io.meridian.config.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.config.console.ConsoleSessions.ExpiringSecrets;
import io.meridian.model.access.TokenText;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Bounds of sessions and links, in virtual time. */
class ConsoleSessionsTest {
    private static final Duration LIFE = Duration.ofHours(12);
    private static final Duration IDLE = Duration.ofHours(1);

    private final ExpiringSecrets<String> secrets = new ExpiringSecrets<>(3, 2, LIFE, IDLE);

    @Test
    void an_unused_value_ends_after_the_idle_time() {
        String secret = secrets.add("ann", "a", 0);

        assertThat(secrets.use(secret, IDLE.toNanos() - 1)).contains("a");
        assertThat(secrets.use(secret, 2 * IDLE.toNanos() - 2))
                .as("its use prolongs it")
                .contains("a");
        assertThat(secrets.use(secret, 3 * IDLE.toNanos() - 2)).isEmpty();
    }

    @Test
    void a_value_in_use_ends_with_its_life() {
        String secret = secrets.add("ann", "a", 0);
        long step = IDLE.toNanos() / 2;
        for (long now = step; now < LIFE.toNanos(); now += step) {
            assertThat(secrets.use(secret, now)).contains("a");
        }

        assertThat(secrets.use(secret, LIFE.toNanos())).isEmpty();
    }

    @Test
    void the_least_recently_used_value_makes_room() {
        List<String> given = IntStream.range(0, 3)
                .mapToObj(each -> secrets.add("caller " + each, "" + each, each))
                .toList();
        assertThat(secrets.use(given.get(0), 3)).contains("0");

        String more = secrets.add("bob", "more", 4);

        assertThat(secrets.size()).isEqualTo(3);
        assertThat(secrets.use(given.get(1), 5)).isEmpty();
        assertThat(secrets.use(given.get(0), 5)).contains("0");
        assertThat(secrets.use(more, 5)).contains("more");
    }

    @Test
    void a_caller_with_many_ends_its_own_and_nobody_elses() {
        String others = secrets.add("ann", "a", 0);
        String first = secrets.add("bob", "b1", 1);
        String second = secrets.add("bob", "b2", 2);

        String third = secrets.add("bob", "b3", 3);

        assertThat(secrets.use(first, 4)).isEmpty();
        assertThat(secrets.use(second, 4)).contains("b2");
        assertThat(secrets.use(third, 4)).contains("b3");
        assertThat(secrets.use(others, 4)).contains("a");
    }

    @Test
    void a_value_is_removed_once() {
        String secret = secrets.add("ann", "a", 0);

        assertThat(secrets.remove(secret, 1)).contains("a");
        assertThat(secrets.remove(secret, 1)).isEmpty();
        assertThat(secrets.size()).isZero();
    }

    @Test
    void secrets_are_tokens_that_logs_recognise_and_no_two_are_alike() {
        assertThat(secrets.add("ann", "a", 0))
                .startsWith(TokenText.PREFIX)
                .hasSizeGreaterThan(40)
                .isNotEqualTo(secrets.add("ann", "a", 0));
    }

    @Test
    void a_table_without_room_is_refused() {
        assertThatThrownBy(() -> new ExpiringSecrets<>(0, 1, LIFE, IDLE)).hasMessageContaining("got 0");
    }
}
