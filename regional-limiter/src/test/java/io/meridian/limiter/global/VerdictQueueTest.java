package io.meridian.limiter.global;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.global.VerdictApplier.VerdictQueue;
import io.meridian.limiter.region.RegionAccounts;
import io.meridian.model.match.Shard;
import io.meridian.model.policy.Coordination.AfterHeal;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.usage.SharingMode;
import io.meridian.model.usage.WindowRule;
import io.meridian.model.wire.VerdictRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Which verdicts reach the region, and when. */
class VerdictQueueTest {
    private static final long NOW = 1_768_474_800_000_000L;
    private static final LimitWindow WINDOW = new LimitWindow("p", "k", NOW);

    private final Books books = new Books();
    private final VerdictQueue queue = new VerdictQueue("here", books, () -> NOW + 1);

    @Test
    void what_is_heard_before_the_life_is_known_waits_for_it() {
        queue.add(said("here", 7, 1));
        assertThat(queue.next()).isEmpty();

        books.life = OptionalLong.of(7);

        assertThat(queue.next()).extracting(VerdictRecord::sequence).containsExactly(1L);
    }

    @Test
    void what_is_for_a_life_that_another_instance_began_waits_until_this_one_has_heard_of_it() {
        books.life = OptionalLong.of(7);
        queue.add(said("here", 8, 1));
        assertThat(queue.next()).isEmpty();

        books.life = OptionalLong.of(8);

        assertThat(queue.next()).hasSize(1);
    }

    @Test
    void an_earlier_life_another_region_and_a_window_that_is_over_hear_nothing() {
        books.life = OptionalLong.of(7);
        queue.add(said("here", 6, 1));
        queue.add(said("elsewhere", 7, 1));
        queue.add(saidOf(NOW - 120_000_000));

        assertThat(queue.next()).isEmpty();
    }

    @Test
    void what_only_a_clock_that_runs_ahead_takes_for_over_is_heard() {
        books.life = OptionalLong.of(7);
        queue.add(saidOf(NOW - 65_000_000));

        assertThat(queue.next()).hasSize(1);
    }

    @Test
    void a_later_verdict_takes_the_place_of_an_earlier_one() {
        books.life = OptionalLong.of(7);
        queue.add(said("here", 7, 1));
        queue.add(said("here", 7, 2));

        assertThat(queue.next()).extracting(VerdictRecord::sequence).containsExactly(2L);
    }

    @Test
    void what_was_taken_is_not_there_any_more() {
        books.life = OptionalLong.of(7);
        queue.add(said("here", 7, 1));

        queue.taken(queue.next());

        assertThat(queue.next()).isEmpty();
    }

    private static WindowRule rule() {
        return new WindowRule(1, 10, 60_000_000, SharingMode.ESCROW, AfterHeal.FORGIVE);
    }

    private static VerdictRecord saidOf(long startMicros) {
        LimitWindow window = new LimitWindow("p", "k", startMicros);
        return new VerdictRecord(window, new RegionIncarnation("here", 7), 1, 1, rule(), 0, false, 0, 0, 0, 0);
    }

    private static VerdictRecord said(String region, long life, long sequence) {
        return new VerdictRecord(
                WINDOW, new RegionIncarnation(region, life), 1, sequence, rule(), 0, false, 0, 0, 0, 0);
    }

    private static final class Books implements RegionAccounts {
        private OptionalLong life = OptionalLong.empty();

        @Override
        public OptionalLong incarnation() {
            return life;
        }

        @Override
        public Collection<Shard> toVisit() {
            return new ArrayList<>();
        }

        @Override
        public CompletionStage<DueAccounts> due(Collection<Shard> shards, int max) {
            throw new IllegalStateException("nobody asks");
        }

        @Override
        public CompletionStage<Void> reported(List<DueAccount> reported) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletionStage<Void> apply(List<VerdictRecord> verdicts) {
            return CompletableFuture.completedFuture(null);
        }
    }
}
