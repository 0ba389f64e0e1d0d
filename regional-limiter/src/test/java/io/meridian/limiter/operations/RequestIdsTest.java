package io.meridian.limiter.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.LimiterConfig.RequestIdConfig;
import io.meridian.limiter.decide.CheckResult;
import io.meridian.limiter.decide.Instance;
import io.meridian.limiter.decide.Limiter.RequestIdReused;
import io.meridian.limiter.decide.ManualTime;
import io.meridian.limiter.decide.MemoryRegion;
import io.meridian.limiter.decide.MemoryStore;
import io.meridian.limiter.operations.RequestIds.CheckResultRecords;
import io.meridian.limiter.operations.RequestIds.Digest;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Window;
import io.meridian.model.decision.Decision;
import io.meridian.model.match.Check;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.Policy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Two instances of a region, and what they share. */
class RequestIdsTest {
    private static final long NOON = 1_800_000_000_000_000L;
    private static final int LIMIT = 3;

    private final ManualTime time = new ManualTime(NOON);
    private final MemoryRegion region = new MemoryRegion(time);
    private final MemoryStore store = new MemoryStore(time);
    private final Queue<Runnable> due = new ArrayDeque<>();
    private final Instance decisions = new Instance(
            region, Policy.of("a", KeySpec.of("user_id"), Algorithm.SLIDING_WINDOW_LOG, LIMIT, Window.parse("10s")));
    private final RequestIds first = ids();
    private final RequestIds second = ids();

    @Test
    void an_id_is_answered_again_by_another_instance_and_charged_once() {
        assertThat(isAdmitted(first, "r")).isTrue();
        assertThat(isAdmitted(second, "r")).isTrue();

        assertThat(left()).isEqualTo(LIMIT - 1);
    }

    @Test
    void an_id_whose_claimer_died_is_decided_and_charged_by_the_next() {
        store.claimedByOneThatDies();

        assertThat(isAdmitted(second, "r")).isTrue();

        assertThat(left()).isEqualTo(LIMIT - 1);
    }

    @Test
    void nobody_is_admitted_for_an_id_that_was_not_charged() {
        int admitted = 0;
        for (int i = 0; i < 2 * LIMIT; i++) {
            store.claimedByOneThatDies();
            admitted += isAdmitted(second, "r" + i) ? 1 : 0;
        }

        assertThat(admitted).isEqualTo(LIMIT);
    }

    @Test
    void a_store_that_is_away_keeps_nobody_from_a_decision() {
        store.away = true;

        assertThat(isAdmitted(first, "r")).isTrue();

        assertThat(left()).isEqualTo(LIMIT - 1);
    }

    @Test
    void one_that_cannot_look_waits_on_and_decides_nothing_that_the_first_is_deciding() {
        store.claimedByOneThatDies();
        CompletableFuture<CheckResult> waits = second.check(check(), "r").toCompletableFuture();
        store.away = true;
        for (int i = 0; i < 20; i++) {
            due.remove().run();
        }
        assertThat(waits).isNotDone();
        store.away = false;
        store.answerLast(
                Digest.of(check()) + new CheckResultRecords().write(decisions.check(Map.of("user_id", "ann"), 1)));

        assertThat(isAllowed(finished(waits))).isTrue();

        assertThat(left()).isEqualTo(LIMIT - 1);
    }

    @Test
    void one_that_waits_hears_what_the_first_decides() {
        store.claimedByOneThatDies();
        CompletableFuture<CheckResult> waits = second.check(check(), "r").toCompletableFuture();
        assertThat(waits).isNotDone();
        store.answerLast(
                Digest.of(check()) + new CheckResultRecords().write(decisions.check(Map.of("user_id", "ann"), 1)));

        assertThat(isAllowed(finished(waits))).isTrue();

        assertThat(left()).isEqualTo(LIMIT - 1);
    }

    @Test
    void an_id_that_was_paid_with_a_cheap_check_answers_no_other_one() {
        Check paid = check();
        assertThat(isAdmitted(first, "r")).isTrue();
        List<Check> others = List.of(
                new Check(Map.of("user_id", "bob"), "/", "GET", Map.of(), "", 1),
                new Check(Map.of("user_id", "ann"), "/export", "GET", Map.of(), "", 1),
                new Check(Map.of("user_id", "ann"), "/", "POST", Map.of(), "", 1),
                new Check(Map.of("user_id", "ann"), "/", "GET", Map.of("x-plan", "beta"), "", 1),
                new Check(Map.of("user_id", "ann"), "/", "GET", Map.of(), "", LIMIT));

        for (RequestIds instance : List.of(first, second)) {
            for (Check other : others) {
                assertThat(instance.check(other, "r"))
                        .failsWithin(Duration.ZERO)
                        .withThrowableThat()
                        .withCauseInstanceOf(RequestIdReused.class)
                        .withMessageContaining("request id r was used for another check");
            }
            assertThat(isAllowed(finished(instance.check(paid, "r").toCompletableFuture())))
                    .isTrue();
        }
        assertThat(left()).isEqualTo(LIMIT - 1);
    }

    @Test
    void attributes_cannot_be_written_so_that_two_checks_look_alike() {
        Check two = new Check(Map.of("a", "1", "b", "2"), "/", "GET", Map.of(), "", 1);
        Check one = new Check(Map.of("a", "1, b=2"), "/", "GET", Map.of(), "", 1);
        Check header = new Check(Map.of("a", "1"), "/", "GET", Map.of("b", "2"), "", 1);

        assertThat(List.of(Digest.of(two), Digest.of(one), Digest.of(header))).doesNotHaveDuplicates();
        assertThat(Digest.of(two))
                .isEqualTo(Digest.of(new Check(Map.of("b", "2", "a", "1"), "", "get", Map.of(), "", 1)));
    }

    @Test
    void another_check_is_refused_while_the_first_is_being_decided_elsewhere() {
        store.claimedByOneThatDies();
        CompletableFuture<CheckResult> waits = second.check(check(), "r").toCompletableFuture();

        assertThat(first.check(new Check(Map.of("user_id", "bob"), "/", "GET", Map.of(), "", 1), "r"))
                .isCompletedExceptionally();
        assertThat(waits).isNotDone();
    }

    @Test
    void who_owns_an_id_is_answered_also_where_another_check_has_just_tried_it() {
        assertThat(isAdmitted(first, "r")).isTrue();
        store.holdBack();
        CompletableFuture<CheckResult> thief = second.check(
                        new Check(Map.of("user_id", "bob"), "/", "GET", Map.of(), "", 1), "r")
                .toCompletableFuture();
        CompletableFuture<CheckResult> owner = second.check(check(), "r").toCompletableFuture();
        store.letGo();

        assertThat(thief).isCompletedExceptionally();
        assertThat(isAllowed(finished(owner))).isTrue();
        assertThat(left()).isEqualTo(LIMIT - 1);
    }

    private RequestIds ids() {
        return new RequestIds(
                decisions.decider,
                decisions.amendments,
                store,
                new CheckResultRecords(),
                (millis, task) -> due.add(() -> {
                    time.advance(millis * 1_000);
                    task.run();
                }),
                new RequestIdConfig() {
                    @Override
                    public Duration memory() {
                        return Duration.ofMinutes(1);
                    }

                    @Override
                    public int entries() {
                        return 100;
                    }
                },
                new Instance.Leases());
    }

    private boolean isAdmitted(RequestIds instance, String id) {
        return isAllowed(finished(instance.check(check(), id).toCompletableFuture()));
    }

    /** Time passes until there is an answer. */
    private CheckResult finished(CompletableFuture<CheckResult> answer) {
        while (!answer.isDone()) {
            due.remove().run();
        }
        return answer.join();
    }

    private static boolean isAllowed(CheckResult ruling) {
        return ruling instanceof CheckResult.Decided decided && decided.decision() instanceof Decision.Allowed;
    }

    private static Check check() {
        return new Check(Map.of("user_id", "ann"), "/", "GET", Map.of(), "", 1);
    }

    private long left() {
        CheckResult ruling =
                decisions.amendments.status(check()).toCompletableFuture().join();
        return ((CheckResult.Decided) ruling)
                .decision()
                .limits()
                .get(0)
                .standing()
                .remaining();
    }
}
