package io.meridian.limiter.decisionlog;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.meridian.limiter.LimiterConfig.DecisionLogConfig;
import io.meridian.limiter.decide.CheckResult;
import io.meridian.limiter.decide.CheckResult.DecidedBy;
import io.meridian.limiter.decide.DecisionRecorder.DecisionLog;
import io.meridian.limiter.decisionlog.SampledDecisionLog.DecisionRecord;
import io.meridian.limiter.metrics.CheckMetrics.CheckOutcome;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.CounterState;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.algorithm.Window;
import io.meridian.model.decision.Decision;
import io.meridian.model.decision.Decision.LimitDecision;
import io.meridian.model.decision.MultiLimit;
import io.meridian.model.match.Check;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.Policy;
import io.meridian.model.time.TimeSource;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class SampledDecisionLogTest {
    private static final long NOW = 1_768_473_000_000_000L;
    private static final Policy POLICY =
            Policy.of("api-default", KeySpec.of("api_key"), Algorithm.FIXED_WINDOW, 1_000, Window.parse("1h"));
    private static final Check CHECK = new Check(
            Map.of("api_key", "k-1", "ip", "203.0.113.9"), "/api/v1/users", "GET", Map.of("x-plan", "beta"), "", 3);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final LimiterMetrics metrics = new LimiterMetrics(registry);
    private final SetTime time = new SetTime();
    private final List<String> lines = new CopyOnWriteArrayList<>();

    @Test
    void off_by_default_it_is_nobody() {
        assertThat(SampledDecisionLog.create(new Settings(0, 100, 1_000), "us-east", metrics, time))
                .isSameAs(DecisionLog.NONE);
    }

    @Test
    void a_share_of_the_checks_is_logged_allowed_and_denied_alike() throws Exception {
        try (SampledDecisionLog log = log(new Settings(0.1, 1_000_000, 100_000), lines::add)) {
            for (int i = 0; i < 10_000; i++) {
                boolean allowed = i % 2 == 0;
                log.decided(
                        decided(allowed, "api_key=k-1"), CHECK, allowed ? CheckOutcome.ALLOWED : CheckOutcome.DENIED);
            }
            eventually("a tenth is written").until(() -> lines.size() >= 850);
        }
        List<String> sample = List.copyOf(lines);
        assertThat(sample).hasSizeBetween(850, 1_150);
        assertThat(sample.stream().filter(line -> line.contains("\"denied\""))).hasSizeBetween(350, 650);
        assertThat(dropped("rate") + dropped("queue")).isZero();
    }

    @Test
    void a_line_says_who_asked_for_what_and_how_it_was_decided() throws Exception {
        try (SampledDecisionLog log = log(new Settings(1, 1_000, 1_000), lines::add)) {
            log.decided(decided(false, "api_key=k-1"), CHECK, CheckOutcome.DENIED);
            log.decided(new CheckResult.Listed("ip", "203.0.113.9"), CHECK, CheckOutcome.LISTED);
            log.decided(new CheckResult.Undecided(limit("api_key=k-1")), CHECK, CheckOutcome.UNDECIDED);
            log.decided(
                    CheckResult.Decided.by(DecidedBy.LEASE, new Decision.Allowed(List.of(), null, 0), NOW),
                    new Check(Map.of(), "", "", Map.of(), "", 1),
                    CheckOutcome.UNMATCHED);
            eventually("all are written").until(() -> lines.size() == 4);
        }
        assertThat(lines.get(0)).isEqualTo("""
                {"at":"2026-01-15T10:30:00Z","region":"us-east","outcome":"denied","policy":"api-default",\
                "key":"api_key=k-1","limit":1000,"remaining":0,"decided_by":"region","ip":"203.0.113.9",\
                "endpoint":"/api/v1/users","method":"GET","cost":3,"degraded":false,"sample":1.0}""");
        assertThat(json(1).path("outcome").asText()).isEqualTo("listed");
        assertThat(json(1).path("at").asText()).isEqualTo("2026-01-15T10:30:00Z");
        assertThat(json(1).has("policy")).isFalse();
        assertThat(json(2).path("policy").asText()).isEqualTo("api-default");
        assertThat(json(2).path("degraded").asBoolean()).isTrue();
        assertThat(json(3).path("outcome").asText()).isEqualTo("unmatched");
        assertThat(json(3).has("ip")).isFalse();
    }

    @Test
    void what_a_caller_sends_cannot_break_or_lengthen_a_line() throws Exception {
        String quoted = "api_key=\"},{\"\u2028";
        Check large = new Check(Map.of(), "/" + "x".repeat(2_000), "GET", Map.of("x-large", "y".repeat(8_000)), "", 1);
        try (SampledDecisionLog log = log(new Settings(1, 1_000, 1_000), lines::add)) {
            log.decided(decided(true, quoted), CHECK, CheckOutcome.ALLOWED);
            log.decided(decided(true, "k".repeat(511) + "\ud83d\ude00"), large, CheckOutcome.ALLOWED);
            eventually("both are written").until(() -> lines.size() == 2);
        }
        assertThat(json(0).path("key").asText()).isEqualTo(quoted);
        assertThat(json(1).path("key").asText()).isEqualTo("k".repeat(511));
        assertThat(json(1).path("endpoint").asText()).hasSize(DecisionRecord.TEXT_MAX);
        assertThat(lines).allMatch(line -> !line.contains("\n") && line.length() < 2_000);
    }

    @Test
    void a_second_has_no_more_records_than_it_may_and_the_rest_is_counted() throws Exception {
        try (SampledDecisionLog log = log(new Settings(1, 5, 1_000), lines::add)) {
            decide(log, 100);
            eventually("five are written").until(() -> written() == 5);
            assertThat(dropped("rate")).isEqualTo(95);
            time.nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
            decide(log, 100);
            eventually("five more are written").until(() -> written() == 10);
            assertThat(dropped("rate")).isEqualTo(190);
        }
    }

    @Test
    void a_log_that_stands_still_holds_nobody_up_and_the_rest_is_counted() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Consumer<String> slow = line -> {
            busy.countDown();
            awaitQuietly(go);
            lines.add(line);
        };
        try (SampledDecisionLog log = log(new Settings(1, 1_000, 2), slow)) {
            decide(log, 1);
            assertThat(busy.await(60, TimeUnit.SECONDS)).isTrue();
            decide(log, 10);
            assertThat(dropped("queue")).isEqualTo(8);
            go.countDown();
            eventually("what fitted is written").until(() -> written() == 3);
        }
        assertThat(lines).hasSize(3);
    }

    @Test
    void a_line_that_the_log_refuses_is_counted_and_the_next_is_written() throws Exception {
        Consumer<String> refusing = line -> {
            if (lines.isEmpty()) {
                lines.add("refused");
                throw new IllegalStateException("no room on the disk");
            }
            lines.add(line);
        };
        try (SampledDecisionLog log = log(new Settings(1, 1_000, 100), refusing)) {
            decide(log, 2);
            eventually("the second is written").until(() -> written() == 1);
        }
        assertThat(dropped("unwritten")).isEqualTo(1);
    }

    @Test
    void settings_that_cannot_be_meant_are_named() {
        assertThatThrownBy(() -> new Settings(1.5, 0, 100_001).check())
                .hasMessage("meridian.limiter.decision-log.sample must be from 0 to 1, got 1.5;"
                        + " meridian.limiter.decision-log.records-per-second must be from 1 to 10000, got 0;"
                        + " meridian.limiter.decision-log.queue must be from 1 to 100000, got 100001");
        assertThatThrownBy(() -> new Settings(Double.NaN, 1, 1).check()).hasMessageContaining("got NaN");
    }

    private static void decide(DecisionLog log, int times) {
        for (int i = 0; i < times; i++) {
            log.decided(decided(true, "api_key=k-1"), CHECK, CheckOutcome.ALLOWED);
        }
    }

    private SampledDecisionLog log(DecisionLogConfig config, Consumer<String> to) {
        return new SampledDecisionLog(config, "us-east", time, metrics.decisionLog(), to).started();
    }

    private static CheckResult decided(boolean allowed, String key) {
        LimitDecision evaluated = new LimitDecision(
                limit(key), allowed, new Standing(1_000, allowed ? 10 : 0, NOW), 1, CounterState.UNTOUCHED);
        return CheckResult.Decided.by(DecidedBy.REGION, MultiLimit.compose(List.of(evaluated)), NOW);
    }

    private static Limit limit(String key) {
        return new Limit(POLICY, POLICY.limitSpec().quota(), key, 3, 1);
    }

    private JsonNode json(int line) throws Exception {
        return new ObjectMapper().readTree(lines.get(line));
    }

    private long written() {
        return (long) registry.get("meridian.limiter.decision.log.written")
                .functionCounter()
                .count();
    }

    private long dropped(String reason) {
        return (long) registry.get("meridian.limiter.decision.log.dropped")
                .tag("reason", reason)
                .functionCounter()
                .count();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private record Settings(double sample, int recordsPerSecond, int queue) implements DecisionLogConfig {}

    /** A clock that only the test moves. */
    private static final class SetTime implements TimeSource {
        final AtomicLong nanos = new AtomicLong(TimeUnit.SECONDS.toNanos(1_000));

        @Override
        public long monotonicNanos() {
            return nanos.get();
        }

        @Override
        public long wallMicros() {
            return NOW;
        }
    }
}
