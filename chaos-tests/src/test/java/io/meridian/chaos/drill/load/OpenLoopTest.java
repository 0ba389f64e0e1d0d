package io.meridian.chaos.drill.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.chaos.drill.history.Event.Checked;
import io.meridian.chaos.drill.history.Event.Outcome;
import io.meridian.chaos.drill.history.Subject;
import io.meridian.model.time.TimeSource;
import io.meridian.stack.fixture.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class OpenLoopTest {
    private static final Subject SUBJECT =
            new Subject("p", "user_id=42", Subject.Sharing.REGIONAL, 10, Duration.ofSeconds(1));
    private static final Lane LANE = new Lane("here", SUBJECT);

    private final Queue<Checked> heard = new ConcurrentLinkedQueue<>();

    @Test
    void every_check_is_heard_of_with_its_answer() throws Exception {
        try (LimiterStub limiter = new LimiterStub();
                CheckClient client = client(List.of(limiter.address()));
                OpenLoop loop = start(lane -> client.ask(lane.region(), lane.subject()), 200)) {
            Eventually.holds("some are answered", () -> heard.size() > 50);

            loop.stop(Duration.ofSeconds(5));
            assertThat(heard).hasSameSizeAs(limiter.bodies()).allMatch(checked -> checked.outcome() == Outcome.ALLOWED);
            assertThat(limiter.bodies()).doesNotHaveDuplicates();
        }
    }

    @Test
    void what_is_refused_a_connection_goes_to_the_next_limiter_with_the_same_request_id() throws Exception {
        String gone;
        try (LimiterStub stopped = new LimiterStub()) {
            gone = stopped.address();
        }
        try (LimiterStub limiter = new LimiterStub();
                CheckClient client = client(List.of(gone, limiter.address()))) {
            Answer answer = client.ask("here", SUBJECT).get();

            assertThat(answer.allowed()).isTrue();
            assertThat(limiter.bodies()).singleElement().asString().contains("\"request_id\":\"test-here-0\"");
        }
    }

    @Test
    void what_is_no_decision_has_failed_and_says_why() throws Exception {
        try (LimiterStub limiter = new LimiterStub();
                CheckClient client = client(List.of(limiter.address()));
                OpenLoop loop = start(lane -> client.ask(lane.region(), lane.subject()), 0)) {
            limiter.answersWith(503);

            Checked checked = loop.once(LANE);

            assertThat(checked.outcome()).isEqualTo(Outcome.FAILED);
            assertThat(checked.reason()).contains("503");
            assertThat(heard).containsExactly(checked);
        }
    }

    @Test
    void what_comes_due_over_the_bound_is_not_sent_and_counts_as_failed() throws Exception {
        CompletableFuture<Answer> never = new CompletableFuture<>();
        try (OpenLoop loop = start(lane -> never, 100_000)) {
            Eventually.holds("the bound is reached", () -> !heard.isEmpty());

            assertThat(heard.element().outcome()).isEqualTo(Outcome.FAILED);
            assertThat(heard.element().reason()).contains("not sent");
            loop.cease();
            never.complete(new Answer(true, 0, false));
            loop.stop(Duration.ofSeconds(5));
            assertThat(heard.stream().filter(checked -> checked.outcome() == Outcome.ALLOWED))
                    .hasSize(OpenLoop.IN_FLIGHT_MAX);
        }
    }

    @Test
    void a_check_that_never_ends_is_told_when_the_load_is_stopped() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        try (OpenLoop loop = start(
                lane -> {
                    asked.countDown();
                    return new CompletableFuture<>();
                },
                10)) {
            assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();

            assertThatThrownBy(() -> loop.stop(Duration.ofMillis(50))).hasMessageContaining("checks without an answer");
        }
    }

    @Test
    @Timeout(30)
    void an_answer_whose_body_never_comes_has_failed() throws Exception {
        try (LimiterStub limiter = new LimiterStub();
                CheckClient client =
                        new CheckClient(Map.of("here", List.of(limiter.address())), "test", Duration.ofMillis(500));
                OpenLoop loop = start(lane -> client.ask(lane.region(), lane.subject()), 0)) {
            limiter.holdsBodiesBack();

            assertThat(loop.once(LANE).outcome()).isEqualTo(Outcome.FAILED);
        }
    }

    @Test
    void what_was_decided_without_redis_counts_in_the_window_it_was_answered_in() throws Exception {
        TimeSource time = TimeSource.system();
        long farMicros = time.wallMicros() + TimeUnit.HOURS.toMicros(1);
        Answer degraded = new Answer(true, farMicros, true);
        Answer decided = new Answer(true, farMicros, false);
        try (OpenLoop without = start(lane -> CompletableFuture.completedFuture(degraded), 0);
                OpenLoop with = start(lane -> CompletableFuture.completedFuture(decided), 0)) {
            long before = time.wallMicros();
            long end = without.once(LANE).windowEndMicros();
            long after = time.wallMicros();

            assertThat(end % 1_000_000).isZero();
            assertThat(end).isBetween(before - 1, after + 1_000_000);
            assertThat(with.once(LANE).windowEndMicros()).isEqualTo(farMicros);
        }
    }

    @Test
    void a_load_that_broke_off_says_so_when_it_is_stopped() throws Exception {
        TimeSource time = TimeSource.system();
        CountDownLatch broken = new CountDownLatch(1);
        try (OpenLoop loop = OpenLoop.start(
                time, time.monotonicNanos(), lane -> new CompletableFuture<>(), Map.of(LANE, 100_000.0), refused -> {
                    broken.countDown();
                    throw new IllegalStateException("nobody can listen");
                })) {
            assertThat(broken.await(30, TimeUnit.SECONDS)).isTrue();

            assertThatThrownBy(() -> loop.stop(Duration.ofSeconds(5)))
                    .hasMessageContaining("the load ended before its time")
                    .hasRootCauseMessage("nobody can listen");
        }
    }

    private OpenLoop start(OpenLoop.Asking asking, double perSecond) {
        TimeSource time = TimeSource.system();
        return OpenLoop.start(time, time.monotonicNanos(), asking, Map.of(LANE, perSecond), heard::add);
    }

    private static CheckClient client(List<String> addresses) {
        return new CheckClient(Map.of("here", addresses), "test");
    }
}
