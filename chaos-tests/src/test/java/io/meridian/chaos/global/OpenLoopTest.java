package io.meridian.chaos.global;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.chaos.drill.load.Answer;
import io.meridian.stack.fixture.Eventually;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OpenLoopTest {
    private static final Answer ALLOWED = new Answer(true, 100, false);
    private static final Answer DENIED = new Answer(false, 100, false);

    @Test
    void a_region_that_does_not_answer_is_asked_on_and_its_answers_are_waited_for() throws Exception {
        Queue<CompletableFuture<Answer>> waiting = new ConcurrentLinkedQueue<>();
        try (OpenLoop load = OpenLoop.start(region -> later(waiting), Map.of("a", 1_000.0))) {
            Eventually.holds("many wait", () -> waiting.size() >= 100);
            assertThat(load.count().allowed()).isZero();
            CompletableFuture<Count> stopped = new CompletableFuture<>();
            Thread stopping = new Thread(() -> stopped.complete(stopOrNone(load)));
            stopping.start();
            assertThat(stopped).isNotDone();

            // One may still have been on its way to be sent.
            Eventually.holds("all are answered", () -> {
                waiting.forEach(future -> future.complete(ALLOWED));
                return stopped.isDone();
            });

            assertThat(stopped.get().allowed()).isEqualTo(load.sent()).isEqualTo(waiting.size());
        }
    }

    @Test
    void every_request_is_counted_once_as_what_it_became() throws Exception {
        try (OpenLoop load = OpenLoop.start(OpenLoopTest::byRegion, Map.of("a", 200.0, "b", 200.0, "c", 200.0))) {
            Eventually.holds("some were asked", () -> load.sent() >= 300);
            Count count = load.stop();

            long failed = count.failures().values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            assertThat(count.failures()).containsOnlyKeys("IllegalArgumentException: status 503");
            assertThat(count.allowed() + count.denied() + failed).isEqualTo(load.sent());
            assertThat(count.window(100).byRegion()).containsOnlyKeys("a");
            assertThat(count.has("b", false, 100, 0)).isTrue();
        }
    }

    @Test
    void too_many_in_flight_are_failures_not_a_memory_leak() throws Exception {
        Queue<CompletableFuture<Answer>> waiting = new ConcurrentLinkedQueue<>();
        try (OpenLoop load = OpenLoop.start(region -> later(waiting), Map.of("a", 50_000.0))) {
            Eventually.holds(
                    "the bound is reached", () -> !load.count().failures().isEmpty());

            assertThat(waiting).hasSize(OpenLoop.IN_FLIGHT_MAX);
        }
    }

    @Test
    void a_load_that_breaks_says_so() throws Exception {
        try (OpenLoop load = OpenLoop.start(
                region -> {
                    throw new IllegalStateException("broken");
                },
                Map.of("a", 100.0))) {
            Eventually.holds("it is told", () -> !load.count().failures().isEmpty());
            assertThat(load.count().failures().keySet()).allMatch(reason -> reason.contains("broken"));
        }
    }

    @Test
    void an_unknown_region_is_refused() {
        try (OpenLoop load = OpenLoop.start(OpenLoopTest::byRegion, Map.of("a", 0.0))) {
            assertThatThrownBy(() -> load.rates(Map.of("x", 1.0))).hasMessageContaining("got x");
        }
    }

    private static CompletableFuture<Answer> byRegion(String region) {
        return switch (region) {
            case "a" -> CompletableFuture.completedFuture(ALLOWED);
            case "b" -> CompletableFuture.completedFuture(DENIED);
            default -> CompletableFuture.failedFuture(new IllegalArgumentException("status 503"));
        };
    }

    private static CompletableFuture<Answer> later(Queue<CompletableFuture<Answer>> waiting) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        waiting.add(answer);
        return answer;
    }

    private static Count stopOrNone(OpenLoop load) {
        try {
            return load.stop();
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }
}
