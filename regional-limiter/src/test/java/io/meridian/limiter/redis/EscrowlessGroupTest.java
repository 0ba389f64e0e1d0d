package io.meridian.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.redis.ClusterGroup.EscrowlessGroup;
import io.meridian.limiter.region.RegionCounters.Reply;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.algorithm.Terms;
import io.meridian.model.algorithm.Window;
import io.meridian.model.lease.Ask;
import io.meridian.model.lease.Told;
import io.meridian.model.match.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What a Redis Cluster is asked of a group with a limit in escrow, and what the check is told. */
class EscrowlessGroupTest {
    private static final long NOW = 1_000_000_000L;
    private static final Terms TERMS = Terms.of(10, 0, Window.parse("1m"));
    private static final Limit ESCROW = SharedLimits.escrow("escrowed", 1, TERMS);
    private static final Limit OTHER = Limits.of("other", 10);

    private final List<Ask> asked = new ArrayList<>();

    @Test
    void escrow_is_refused_and_the_rest_of_the_group_takes_nothing() {
        List<Ask> group = List.of(new Ask.Take(OTHER, 2, 5, 0), new Ask.Take(ESCROW, 1, 0, 0));
        assertThat(EscrowlessGroup.isNeeded(group)).isTrue();

        Reply reply = ask(group);

        assertThat(asked).containsExactly(new Ask.Peek(OTHER, 2));
        assertThat(reply.told()).extracting(Told::admitted).containsExactly(true, false);
        Told refused = reply.told().get(1);
        assertThat(refused.standing().remaining()).isZero();
        assertThat(refused.waitMicros()).isPositive();
        assertThat(refused.shared()).as("no grant to wait for").isNull();
    }

    @Test
    void a_group_of_escrow_alone_asks_nothing_whatever_it_is() {
        Reply reply = ask(List.of(
                new Ask.Take(ESCROW, 1, 0, 0),
                new Ask.Peek(ESCROW, 1),
                new Ask.GiveBack(ESCROW, 1, NOW),
                new Ask.Settle(ESCROW, 1, NOW)));

        assertThat(asked).isEmpty();
        assertThat(reply.told()).hasSize(4).noneMatch(Told::admitted);
        assertThat(reply.nowMicros()).isEqualTo(NOW);
    }

    @Test
    void what_is_only_looked_at_stands_in_nobodys_way() {
        ask(List.of(new Ask.Peek(ESCROW, 1), new Ask.Take(OTHER, 2, 5, 0)));

        assertThat(asked).containsExactly(new Ask.Take(OTHER, 2, 5, 0));
    }

    @Test
    void a_group_without_escrow_is_none_of_its_concern() {
        assertThat(EscrowlessGroup.isNeeded(List.of(new Ask.Take(OTHER, 1, 0, 0))))
                .isFalse();
    }

    private Reply ask(List<Ask> group) {
        return new EscrowlessGroup(group)
                .ask(this::answered, NOW)
                .toCompletableFuture()
                .join();
    }

    private CompletionStage<Reply> answered(List<Ask> others) {
        asked.addAll(others);
        List<Told> told = others.stream()
                .map(ask -> new Told(true, new Standing(10, 5, NOW), 0, 0, 0))
                .toList();
        return CompletableFuture.completedFuture(new Reply(told, NOW));
    }
}
