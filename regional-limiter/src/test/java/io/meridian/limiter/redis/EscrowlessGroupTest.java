package io.meridian.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.redis.ClusterGroup.EscrowlessGroup;
import io.meridian.limiter.region.RegionCounters.Reply;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.algorithm.Quota;
import io.meridian.model.algorithm.Window;
import io.meridian.model.counter.CounterReply;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.match.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What a Redis Cluster is asked of a group with a limit in escrow, and what the check is told. */
class EscrowlessGroupTest {
    private static final long NOW = 1_000_000_000L;
    private static final Quota TERMS = Quota.of(10, 0, Window.parse("1m"));
    private static final Limit ESCROW = SharedLimits.escrow("escrowed", 1, TERMS);
    private static final Limit OTHER = Limits.of("other", 10);

    private final List<CounterRequest> asked = new ArrayList<>();

    @Test
    void escrow_is_refused_and_the_rest_of_the_group_takes_nothing() {
        List<CounterRequest> group =
                List.of(new CounterRequest.Take(OTHER, 2, 5, 0), new CounterRequest.Take(ESCROW, 1, 0, 0));
        assertThat(EscrowlessGroup.isNeeded(group)).isTrue();

        Reply reply = ask(group);

        assertThat(asked).containsExactly(new CounterRequest.Peek(OTHER, 2));
        assertThat(reply.told()).extracting(CounterReply::admitted).containsExactly(true, false);
        CounterReply refused = reply.told().get(1);
        assertThat(refused.standing().remaining()).isZero();
        assertThat(refused.waitMicros()).isPositive();
        assertThat(refused.globalUsage()).as("no grant to wait for").isNull();
    }

    @Test
    void a_group_of_escrow_alone_asks_nothing_whatever_it_is() {
        Reply reply = ask(List.of(
                new CounterRequest.Take(ESCROW, 1, 0, 0),
                new CounterRequest.Peek(ESCROW, 1),
                new CounterRequest.Refund(ESCROW, 1, NOW),
                new CounterRequest.Charge(ESCROW, 1, NOW)));

        assertThat(asked).isEmpty();
        assertThat(reply.told()).hasSize(4).noneMatch(CounterReply::admitted);
        assertThat(reply.nowMicros()).isEqualTo(NOW);
    }

    @Test
    void what_is_only_looked_at_stands_in_nobodys_way() {
        ask(List.of(new CounterRequest.Peek(ESCROW, 1), new CounterRequest.Take(OTHER, 2, 5, 0)));

        assertThat(asked).containsExactly(new CounterRequest.Take(OTHER, 2, 5, 0));
    }

    @Test
    void a_group_without_escrow_is_none_of_its_concern() {
        assertThat(EscrowlessGroup.isNeeded(List.of(new CounterRequest.Take(OTHER, 1, 0, 0))))
                .isFalse();
    }

    private Reply ask(List<CounterRequest> group) {
        return new EscrowlessGroup(group)
                .ask(this::answered, NOW)
                .toCompletableFuture()
                .join();
    }

    private CompletionStage<Reply> answered(List<CounterRequest> others) {
        asked.addAll(others);
        List<CounterReply> told = others.stream()
                .map(ask -> new CounterReply(true, new Standing(10, 5, NOW), 0, 0, 0))
                .toList();
        return CompletableFuture.completedFuture(new Reply(told, NOW));
    }
}
