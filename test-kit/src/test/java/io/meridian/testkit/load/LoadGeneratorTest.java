package io.meridian.testkit.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoadGeneratorTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration STALL = Duration.ofMillis(400);
    private static final Duration STEP = Duration.ofNanos(100_000);

    private final SteppedTime time = new SteppedTime(STEP);
    private final StubServer server = new StubServer();
    private final Workload load = Workload.of(
            "test",
            EncodedRequest.post(
                    URI.create("http://127.0.0.1:" + server.address().getPort() + "/"), "{}"),
            Keys.one(0));

    @AfterEach
    void close() throws Exception {
        server.close();
    }

    @Test
    void a_closed_loop_sends_no_more_than_it_may() throws Exception {
        try (LoadGenerator generator = LoadGenerator.of(3, time)) {
            assertThat(generator.closed(load, 100, LONG).requests()).isEqualTo(100);
            assertThat(generator.closed(load, 2, LONG).requests()).isEqualTo(2);
        }
        assertThat(server.requests()).isEqualTo(102);
    }

    @Test
    void a_closed_loop_ends_with_its_time() throws Exception {
        try (LoadGenerator generator = LoadGenerator.of(3, time)) {
            LoadResult result = generator.closed(load, Long.MAX_VALUE, Duration.ofMillis(50));
            assertThat(result.requests()).isPositive().isEqualTo(server.requests());
        }
    }

    @Test
    void a_wrong_status_is_an_error_of_a_figure() throws Exception {
        server.answerNext(503);
        try (LoadGenerator generator = LoadGenerator.of(1, time)) {
            LoadResult result = generator.closed(load, 10, LONG);
            assertThatThrownBy(result::requireAllAllowed)
                    .hasMessage("test: of 10 requests 0 were answered with 429 and 1 with neither 200 nor 429:"
                            + " statuses {200=9, 503=1}, failures {}");
        }
    }

    @Test
    void a_lost_connection_is_a_failure_and_the_next_request_has_another() throws Exception {
        server.endNext();
        try (LoadGenerator generator = LoadGenerator.of(1, time)) {
            LoadResult result = generator.closed(load, 10, LONG);
            assertThat(result.count(200)).isEqualTo(9);
            assertThat(result.failures()).hasSize(1).containsValue(1);
            assertThatThrownBy(result::requireAllAllowed).hasMessageContaining("failures {");
        }
    }

    @Test
    void a_stall_is_charged_for_everyone_who_would_have_waited() throws Exception {
        server.beforeNext(() -> time.advance(STALL));
        try (LoadGenerator generator = LoadGenerator.of(1, time)) {
            LoadResult result = generator.open(load, 200, Duration.ofSeconds(1));
            // Of some 200 requests in a second about 80 fell into the stall; the one that met it is less than a
            // percent.
            assertThat(result.requests()).isEqualTo(server.requests()).isBetween(150L, 250L);
            assertThat(result.micros(75)).isGreaterThan(100_000);
        }
    }

    @Test
    void without_due_times_the_same_stall_would_hide_behind_one_request() throws Exception {
        server.beforeNext(() -> time.advance(STALL));
        try (LoadGenerator generator = LoadGenerator.of(1, time)) {
            List<Long> omitting = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                omitting.add(generator.closed(load, 1, LONG).nanos());
            }
            Collections.sort(omitting);
            // A clock that a test moves: no machine is too slow for this bound.
            assertThat(omitting.get(199)).isGreaterThan(390_000_000);
            assertThat(omitting.get(150)).isLessThan(100_000_000);
        }
    }
}
