package io.meridian.limiter.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.control.ViolationTally.ViolationKey;
import io.meridian.model.match.Check;
import io.meridian.model.wire.ViolationRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
class OpenTalliesTest {
    private static final int THREADS = 8;
    private static final int DENIALS_PER_THREAD = 20_000;
    private static final int USERS = 3;

    private final OpenTallies open = new OpenTallies(100);
    private final Map<ViolationKey, ViolationTally> drained = new HashMap<>();

    @Test
    void a_tally_has_the_first_and_the_last_denial_whatever_their_order() {
        open.add(Denials.limit(1, 5), Denials.STANDING, Denials.check("/second"), false, 20);
        open.add(Denials.limit(1, 5), Denials.STANDING, Denials.check("/third"), false, 30);
        open.add(Denials.limit(1, 7), Denials.STANDING, Denials.check("/first"), false, 10);

        assertThat(records())
                .containsExactly(new ViolationRecord(
                        "api-default", 0, "user_id=1", "us-east", 3, 17, 10, 30, false, "/third", "GET", 10, 10, "1m"));
    }

    @Test
    void shadows_and_other_keys_have_tallies_of_their_own() {
        open.add(Denials.limit(1, 1), Denials.STANDING, Denials.CHECK, false, 1);
        open.add(Denials.limit(1, 1), Denials.STANDING, Denials.CHECK, true, 1);
        open.add(Denials.limit(2, 1), Denials.STANDING, Denials.CHECK, false, 1);

        assertThat(records()).hasSize(3).allMatch(record -> record.count() == 1);
    }

    @Test
    void an_endpoint_is_cut_and_never_within_a_character() {
        String half = "/" + "x".repeat(ViolationRecord.ENDPOINT_MAX - 2);
        open.add(Denials.limit(1, 1), Denials.STANDING, Denials.check(half + "\uD83D\uDE00/more"), false, 1);
        open.add(Denials.limit(2, 1), Denials.STANDING, Denials.check(half + "y/more"), false, 1);
        open.add(Denials.limit(3, 1), Denials.STANDING, Denials.check(""), false, 1);

        assertThat(records()).extracting(ViolationRecord::endpoint).containsExactlyInAnyOrder(half, half + "y", "/");
    }

    @Test
    void a_method_that_grew_with_its_upper_case_is_cut() {
        Check check = new Check(Map.of(), "/", "\u00df".repeat(32), Map.of(), "", 1);
        open.add(Denials.limit(1, 1), Denials.STANDING, check, false, 1);

        assertThat(records()).extracting(ViolationRecord::method).containsExactly("S".repeat(32));
    }

    @Test
    void beyond_the_bound_new_limits_are_refused_and_known_ones_still_count_until_there_is_room_again() {
        for (int user = 0; user < 100; user++) {
            assertThat(open.add(Denials.limit(user, 1), Denials.STANDING, Denials.CHECK, false, 1))
                    .isTrue();
        }
        assertThat(open.add(Denials.limit(100, 1), Denials.STANDING, Denials.CHECK, false, 1))
                .isFalse();
        assertThat(open.add(Denials.limit(7, 1), Denials.STANDING, Denials.CHECK, false, 1))
                .isTrue();

        assertThat(records()).hasSize(100);
        assertThat(open.add(Denials.limit(100, 1), Denials.STANDING, Denials.CHECK, false, 1))
                .isTrue();
    }

    @RepeatedTest(20)
    void no_denial_is_lost_or_counted_twice_while_others_count_and_one_drains() throws Exception {
        AtomicInteger refused = new AtomicInteger();
        CountDownLatch running = new CountDownLatch(THREADS);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(() -> {
                for (int n = 0; n < DENIALS_PER_THREAD; n++) {
                    if (!open.add(Denials.limit(n % USERS, 2), Denials.STANDING, Denials.CHECK, false, n)) {
                        refused.incrementAndGet();
                    }
                }
                running.countDown();
            });
            threads.add(thread);
            thread.start();
        }
        while (running.getCount() > 0) {
            open.drain(this::collect);
        }
        for (Thread thread : threads) {
            thread.join();
        }

        List<ViolationRecord> records = records();

        // One that finds every place taken at its moment is told so, which takes more threads than processors.
        long expected = (long) THREADS * DENIALS_PER_THREAD - refused.get();
        assertThat(records).hasSize(USERS);
        assertThat(records.stream().mapToLong(ViolationRecord::count).sum()).isEqualTo(expected);
        assertThat(records.stream().mapToLong(ViolationRecord::cost).sum()).isEqualTo(2 * expected);
    }

    private void collect(ViolationKey key, ViolationTally tally) {
        drained.computeIfAbsent(key, any -> new ViolationTally()).add(tally);
    }

    private List<ViolationRecord> records() {
        open.drain(this::collect);
        return drained.entrySet().stream()
                .map(entry -> entry.getValue().record(entry.getKey(), "us-east"))
                .toList();
    }
}
