package io.meridian.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoopTest {
    private static final Load LOAD = new Load("test", Request.post("/", "{}"), Keys.one(0));
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration STALL = Duration.ofMillis(400);
    private static final Duration STEP = Duration.ofNanos(100_000);

    private final SteppedTime time = new SteppedTime(STEP);
    private final StubServer server = new StubServer();

    @AfterEach
    void close() throws Exception {
        server.close();
    }

    @Test
    void a_closed_loop_sends_no_more_than_it_may() throws Exception {
        try (Connections connections = Connections.open(server.address(), 3)) {
            assertThat(ClosedLoop.run(connections, LOAD, 100, LONG, time).requests())
                    .isEqualTo(100);
            assertThat(ClosedLoop.run(connections, LOAD, 2, LONG, time).requests())
                    .isEqualTo(2);
        }
        assertThat(server.requests()).isEqualTo(102);
    }

    @Test
    void a_closed_loop_ends_with_its_time() throws Exception {
        try (Connections connections = Connections.open(server.address(), 3)) {
            Throughput throughput = ClosedLoop.run(connections, LOAD, Long.MAX_VALUE, Duration.ofMillis(50), time);

            assertThat(throughput.requests()).isPositive().isEqualTo(server.requests());
        }
    }

    @Test
    void a_wrong_status_is_an_error() throws Exception {
        server.answerNext(503);
        try (Connections connections = Connections.open(server.address(), 1)) {
            assertThatThrownBy(() -> ClosedLoop.run(connections, LOAD, 10, LONG, time))
                    .hasMessage("test: of 10 answers 0 were 429 and 1 were neither 200 nor 429, the last of them 503");
        }
    }

    @Test
    void a_stall_is_charged_for_everyone_who_would_have_waited() throws Exception {
        server.beforeNext(() -> time.advance(STALL));
        try (Connections connections = Connections.open(server.address(), 1)) {
            Latencies latencies = OpenLoop.run(connections, LOAD, 200, Duration.ofSeconds(1), time);

            // Of some 200 requests in a second about 80 fell into the stall; the one that met it is less than a
            // percent.
            assertThat(latencies.count()).isEqualTo(server.requests()).isBetween(150L, 250L);
            assertThat(latencies.micros(75)).isGreaterThan(100_000);
        }
    }

    @Test
    void without_due_times_the_same_stall_would_hide_behind_one_request() throws Exception {
        server.beforeNext(() -> time.advance(STALL));
        try (Connections connections = Connections.open(server.address(), 1)) {
            Latencies omitting = new Latencies();
            for (int i = 0; i < 200; i++) {
                omitting.answered(
                        ClosedLoop.run(connections, LOAD, 1, LONG, time).nanos());
            }

            // A clock that a test moves: no machine is too slow for this bound.
            assertThat(omitting.micros(100)).isGreaterThan(390_000);
            assertThat(omitting.micros(75)).isLessThan(100_000);
        }
    }
}
