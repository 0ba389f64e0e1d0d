package io.meridian.drill.load;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.drill.history.Event.Checked;
import io.meridian.drill.history.Event.Outcome;
import io.meridian.drill.history.Subject;
import io.meridian.drill.load.CheckClient.CheckAnswer;
import io.meridian.drill.load.OpenLoopLoad.Lane;
import io.meridian.drill.load.SendSchedule.ConstantRate;
import io.meridian.model.time.TimeSource;
import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class OpenLoopLoadTest {
    private static final Subject SUBJECT =
            new Subject("p", "user_id=42", Subject.Sharing.REGIONAL, 10, Duration.ofSeconds(1));
    private static final Lane LANE = new Lane("here", SUBJECT);

    /** What nobody on the busiest machine needs. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Queue<Checked> heard = new ConcurrentLinkedQueue<>();

    @Test
    void every_check_is_heard_of_with_its_answer() throws Exception {
        try (LimiterStub limiter = new LimiterStub();
                CheckClient client = client(List.of(limiter.address()));
                OpenLoopLoad loop = start((lane, key) -> client.check(lane.region(), lane.subject(), key), 200)) {
            eventually("some are answered").until(() -> heard.size() > 50);

            loop.stop(PATIENCE);
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
            CheckAnswer answer = client.check("here", SUBJECT).get();

            assertThat(answer.allowed()).isTrue();
            assertThat(limiter.bodies()).singleElement().asString().contains("\"request_id\":\"test-here-0\"");
        }
    }

    @Test
    void what_is_no_decision_has_failed_and_says_why() throws Exception {
        try (LimiterStub limiter = new LimiterStub();
                CheckClient client = client(List.of(limiter.address()));
                OpenLoopLoad loop = start((lane, key) -> client.check(lane.region(), lane.subject(), key), 0)) {
            limiter.answersWith(503);

            Checked checked = loop.sendOnce(LANE);

            assertThat(checked.outcome()).isEqualTo(Outcome.FAILED);
            assertThat(checked.reason()).contains("503");
            assertThat(heard).containsExactly(checked);
        }
    }

    @Test
    void what_comes_due_over_the_bound_is_not_sent_and_counts_as_failed() throws Exception {
        CompletableFuture<CheckAnswer> never = new CompletableFuture<>();
        try (OpenLoopLoad loop = start((lane, key) -> never, 100_000)) {
            eventually("the bound is reached").until(() -> !heard.isEmpty());

            assertThat(heard.element().outcome()).isEqualTo(Outcome.FAILED);
            assertThat(heard.element().reason()).contains("not sent");
            assertThat(heard.element().gaveUp()).isTrue();
            loop.cease();
            never.complete(new CheckAnswer(true, 0, false));
            loop.stop(PATIENCE);
            assertThat(heard.stream().filter(checked -> checked.outcome() == Outcome.ALLOWED))
                    .hasSize(OpenLoopLoad.IN_FLIGHT_MAX);
        }
    }

    @Test
    void a_check_that_never_ends_is_told_when_the_load_is_stopped() throws Exception {
        CountDownLatch requested = new CountDownLatch(1);
        try (OpenLoopLoad loop = start(
                (lane, key) -> {
                    requested.countDown();
                    return new CompletableFuture<>();
                },
                10)) {
            assertThat(requested.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

            assertThatThrownBy(() -> loop.stop(Duration.ofMillis(50))).hasMessageContaining("checks without an answer");
        }
    }

    @Test
    @Timeout(600)
    void an_answer_whose_body_never_comes_has_failed() throws Exception {
        try (LimiterStub limiter = new LimiterStub();
                CheckClient client = new CheckClient(
                        Map.of("here", List.of(limiter.address())), "test", PATIENCE, Duration.ofMillis(500));
                OpenLoopLoad loop = start((lane, key) -> client.check(lane.region(), lane.subject(), key), 0)) {
            limiter.holdsBodiesBack();

            assertThat(loop.sendOnce(LANE).outcome()).isEqualTo(Outcome.FAILED);
        }
    }

    @Test
    void what_was_decided_without_redis_counts_in_the_window_it_was_answered_in() throws Exception {
        TimeSource time = TimeSource.system();
        long farMicros = time.wallMicros() + TimeUnit.HOURS.toMicros(1);
        CheckAnswer degraded = new CheckAnswer(true, farMicros, true);
        CheckAnswer decided = new CheckAnswer(true, farMicros, false);
        try (OpenLoopLoad without = start((lane, key) -> CompletableFuture.completedFuture(degraded), 0);
                OpenLoopLoad with = start((lane, key) -> CompletableFuture.completedFuture(decided), 0)) {
            long before = time.wallMicros();
            long end = without.sendOnce(LANE).windowEndMicros();
            long after = time.wallMicros();

            assertThat(end % 1_000_000).isZero();
            assertThat(end).isBetween(before - 1, after + 1_000_000);
            assertThat(with.sendOnce(LANE).windowEndMicros()).isEqualTo(farMicros);
        }
    }

    @Test
    void a_check_that_is_sent_after_it_was_due_tells_how_late_it_was() throws Exception {
        ManualTime time = new ManualTime();
        CheckAnswer allowed = new CheckAnswer(true, 0, false);
        try (OpenLoopLoad loop = OpenLoopLoad.start(
                time,
                0,
                (lane, key) -> CompletableFuture.completedFuture(allowed),
                Map.of(LANE, ConstantRate.at(10, 0)),
                heard::add)) {
            time.nanos = TimeUnit.MILLISECONDS.toNanos(300);
            eventually("three are sent").until(() -> heard.size() == 3);

            loop.stop(PATIENCE);
            assertThat(heard.stream().map(Checked::lateMicros)).containsExactly(200_000L, 100_000L, 0L);
            assertThat(loop.sendOnce(LANE).lateMicros()).isZero();
        }
    }

    @Test
    void each_window_has_a_key_of_its_own_and_an_answer_for_the_next_window_comes_too_late() throws Exception {
        ManualTime time = new ManualTime();
        time.wallMicros = TimeUnit.SECONDS.toMicros(7);
        Lane lane = new Lane(
                "here", new Subject("p", "user_id={window}", Subject.Sharing.CONVERGE, 10, Duration.ofSeconds(1)));
        Queue<String> keys = new ConcurrentLinkedQueue<>();
        CheckAnswer inTheSeventh = new CheckAnswer(true, TimeUnit.SECONDS.toMicros(8), false);
        try (OpenLoopLoad loop = OpenLoopLoad.start(
                time,
                0,
                (requested, key) -> {
                    keys.add(key);
                    return CompletableFuture.completedFuture(inTheSeventh);
                },
                Map.of(),
                heard::add)) {
            assertThat(loop.sendOnce(lane).outcome()).isEqualTo(Outcome.ALLOWED);

            time.wallMicros = TimeUnit.SECONDS.toMicros(6);
            Checked late = loop.sendOnce(lane);

            assertThat(late.outcome()).isEqualTo(Outcome.FAILED);
            assertThat(late.gaveUp()).isTrue();
            assertThat(late.reason()).contains("answered after its window");
            assertThat(keys).containsExactly("user_id=7", "user_id=6");
        }
    }

    @Test
    void a_check_whose_answer_is_waited_for_no_longer_was_given_up_and_one_answered_wrongly_was_not() throws Exception {
        Queue<Exception> failures = new ConcurrentLinkedQueue<>(List.of(
                new TimeoutException(),
                new CompletionException(new HttpTimeoutException("request timed out")),
                new IllegalArgumentException("status 503"),
                new ConnectException("refused")));
        try (OpenLoopLoad loop = start((lane, key) -> CompletableFuture.failedFuture(failures.remove()), 0)) {
            assertThat(loop.sendOnce(LANE).gaveUp()).isTrue();
            assertThat(loop.sendOnce(LANE).gaveUp()).isTrue();
            assertThat(loop.sendOnce(LANE).gaveUp()).isFalse();
            assertThat(loop.sendOnce(LANE).gaveUp()).isFalse();
        }
    }

    /** A clock that stands still until it is set. */
    private static final class ManualTime implements TimeSource {
        private volatile long nanos;
        private volatile long wallMicros;

        @Override
        public long monotonicNanos() {
            return nanos;
        }

        @Override
        public long wallMicros() {
            return wallMicros;
        }
    }

    @Test
    void a_load_that_broke_off_says_so_when_it_is_stopped() throws Exception {
        TimeSource time = TimeSource.system();
        CountDownLatch broken = new CountDownLatch(1);
        try (OpenLoopLoad loop = OpenLoopLoad.start(
                time,
                time.monotonicNanos(),
                (lane, key) -> new CompletableFuture<>(),
                Map.of(LANE, ConstantRate.at(100_000, 0)),
                refused -> {
                    broken.countDown();
                    throw new IllegalStateException("nobody can listen");
                })) {
            assertThat(broken.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

            assertThatThrownBy(() -> loop.stop(PATIENCE))
                    .hasMessageContaining("the load generator failed")
                    .hasRootCauseMessage("nobody can listen");
        }
    }

    private OpenLoopLoad start(OpenLoopLoad.Sender sender, double perSecond) {
        TimeSource time = TimeSource.system();
        return OpenLoopLoad.start(
                time, time.monotonicNanos(), sender, Map.of(LANE, ConstantRate.at(perSecond, 0)), heard::add);
    }

    private static CheckClient client(List<String> addresses) {
        return new CheckClient(Map.of("here", addresses), "test", PATIENCE, PATIENCE);
    }
}
