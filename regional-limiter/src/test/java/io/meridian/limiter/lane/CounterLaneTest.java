package io.meridian.limiter.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.limiter.LimiterConfig.LeaseConfig;
import io.meridian.limiter.LimiterConfig.RedisConfig;
import io.meridian.limiter.decide.LimiterCore.LocalState;
import io.meridian.limiter.decide.ManualTime;
import io.meridian.limiter.lane.LaneTransport.Counted;
import io.meridian.limiter.lane.LaneTransport.StaleIncarnation;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.limiter.region.RegionCounters.Reply;
import io.meridian.limiter.region.RegionUnavailable;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Window;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.counter.GlobalCounter.FloorOffer;
import io.meridian.model.counter.RegionModel;
import io.meridian.model.counter.RegionModel.Server;
import io.meridian.model.counter.RegionModel.StaleIncarnationException;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.Policy;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CounterLaneTest {
    private static final long NOW = 1_768_474_800_000_000L;
    private static final int CALLS_IN_FLIGHT = 2;
    private static final int GROUPS_PER_TURN = 8;
    private static final Limit LIMIT = limit("p");

    private final ManualTime time = new ManualTime(NOW);
    private final LimiterMetrics metrics = new LimiterMetrics(new SimpleMeterRegistry());
    private final LocalState state = LocalState.create(settings(LeaseConfig.class), metrics, time, changed -> {});
    private final RegionModel region = new RegionModel();
    private final ManualTransport transport = new ManualTransport();
    private final CounterLane lane = new CounterLane(
            transport,
            call -> call.get(),
            state.incarnation(),
            settings(RedisConfig.class),
            state.clock(),
            time,
            metrics.redis());

    @BeforeEach
    void identify() {
        transport.identifyAgain();
    }

    @Test
    void groups_of_one_turn_share_a_call_and_get_their_own_replies() {
        CompletionStage<Reply> first = lane.ask(List.of(take(1)));
        CompletionStage<Reply> second = lane.ask(List.of(take(2), new CounterRequest.Peek(limit("q"), 1)));
        assertThat(transport.calls).isEmpty();

        transport.endTurn();
        assertThat(transport.calls).hasSize(1);
        transport.answer();

        assertThat(remaining(first)).isEqualTo(9);
        assertThat(remaining(second)).isEqualTo(7);
        assertThat(reply(second).told()).hasSize(2);
    }

    @Test
    void turns_join_the_next_call_while_one_is_on_its_way_unless_they_are_many() {
        ask(1);
        transport.endTurn();
        ask(1);
        transport.endTurn();
        assertThat(transport.calls).hasSize(1);

        transport.answer();
        assertThat(transport.calls).as("the answer makes room").hasSize(1);

        ask(3);
        transport.endTurn();
        assertThat(transport.calls).as("many do not wait").hasSize(2);
    }

    @Test
    void a_call_has_no_more_requests_than_the_bound_and_only_so_many_calls_are_on_their_way() {
        List<CompletionStage<Reply>> asked = ask(7);
        transport.endTurn();

        assertThat(transport.calls).extracting(call -> call.groups.size()).containsExactly(3, 3);
        assertUnavailable(asked.get(6), "too many calls wait for Redis");
        assertThat(lane.backlogPercent()).isEqualTo(100);
    }

    @Test
    void a_turn_collects_only_so_many_groups() {
        List<CompletionStage<Reply>> asked = ask(GROUPS_PER_TURN + 1);

        assertUnavailable(asked.get(GROUPS_PER_TURN), "too many checks wait for Redis");
    }

    @Test
    void a_failed_call_leaves_nothing_to_be_called_again() {
        ask(1);
        transport.endTurn();
        ask(1);
        transport.failing = true;
        transport.fail();
        transport.endTurn();

        assertThat(transport.made).as("one for each turn").isEqualTo(2);
    }

    @Test
    void a_check_is_answered_at_the_end_of_its_budget_and_what_a_late_reply_took_is_given_back() {
        CompletionStage<Reply> asked = lane.ask(List.of(take(4)));
        transport.endTurn();
        transport.expire();
        assertUnavailable(asked, "Redis did not answer in time");

        transport.answer();
        transport.endTurn();
        transport.answer();

        assertThat(region.remaining(LIMIT, NOW)).isEqualTo(10);
    }

    @Test
    void what_a_late_reply_took_in_an_ended_incarnation_is_not_given_back_in_the_next() {
        lane.ask(List.of(take(4)));
        transport.endTurn();
        transport.expire();
        Call late = transport.count();
        transport.restart();
        transport.identifyAgain();

        late.deliver();
        transport.endTurn();

        assertThat(transport.calls).isEmpty();
        assertThat(region.remaining(LIMIT, NOW)).isEqualTo(6);
    }

    @Test
    void a_call_for_an_ended_incarnation_is_made_once_more_in_the_next() {
        CompletionStage<Reply> asked = lane.ask(List.of(take(4)));
        transport.endTurn();
        transport.restart();

        transport.answer();
        assertThat(asked.toCompletableFuture()).isNotDone();
        transport.answer();

        assertThat(remaining(asked)).isEqualTo(6);
        assertThat(transport.identified).isEqualTo(2);
    }

    @Test
    void what_a_late_reply_took_in_the_next_incarnation_is_given_back_to_it() {
        lane.ask(List.of(take(4)));
        transport.endTurn();
        transport.restart();
        transport.answer();
        transport.expire();

        transport.answer();
        assertThat(region.remaining(LIMIT, NOW)).isEqualTo(6);
        transport.endTurn();
        transport.answer();

        assertThat(region.remaining(LIMIT, NOW)).isEqualTo(10);
    }

    @Test
    void a_call_is_not_made_a_third_time() {
        CompletionStage<Reply> asked = lane.ask(List.of(take(4)));
        transport.endTurn();
        transport.restart();
        transport.answer();
        transport.restart();
        transport.answer();

        assertUnavailable(asked, "of incarnation");
        assertThat(transport.calls).isEmpty();
        assertThat(region.remaining(LIMIT, NOW)).isEqualTo(10);
    }

    @Test
    void a_refund_of_the_incarnation_before_is_not_repeated_in_the_next() {
        lane.ask(List.of(take(4)));
        transport.endTurn();
        transport.answer();
        CompletionStage<Reply> refund = lane.ask(List.of(new CounterRequest.Refund(LIMIT, 4, NOW)));
        transport.endTurn();
        transport.restart();
        transport.answer();

        assertUnavailable(refund, "of incarnation");
        assertThat(transport.calls).isEmpty();
        assertThat(transport.identified).as("but the next is learnt").isEqualTo(2);
        assertThat(region.remaining(LIMIT, NOW)).isEqualTo(6);
    }

    @Test
    void groups_of_two_nodes_share_no_call() {
        lane.ask(List.of(take(1)));
        lane.ask(List.of(new CounterRequest.Peek(limit("elsewhere"), 1)));
        lane.ask(List.of(take(1)));
        transport.endTurn();

        assertThat(transport.calls).extracting(call -> call.groups.size()).containsExactly(2, 1);
    }

    private List<CompletionStage<Reply>> ask(int groups) {
        List<CompletionStage<Reply>> asked = new ArrayList<>();
        for (int i = 0; i < groups; i++) {
            asked.add(lane.ask(List.of(take(1))));
        }
        return asked;
    }

    private static CounterRequest take(long cost) {
        return new CounterRequest.Take(LIMIT, cost, 0, 0);
    }

    private static Reply reply(CompletionStage<Reply> asked) {
        assertThat(asked.toCompletableFuture()).isDone();
        return asked.toCompletableFuture().join();
    }

    private static long remaining(CompletionStage<Reply> asked) {
        return reply(asked).told().get(0).standing().remaining();
    }

    private static void assertUnavailable(CompletionStage<Reply> asked, String reason) {
        assertThat(asked.toCompletableFuture()).isDone();
        assertThatThrownBy(() -> asked.toCompletableFuture().join())
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(RegionUnavailable.class)
                .hasMessageContaining(reason);
    }

    private static Limit limit(String policy) {
        Policy counted = Policy.of(policy, KeySpec.ONE_FOR_ALL, Algorithm.FIXED_WINDOW, 10, Window.parse("31d"));
        return new Limit(counted, counted.limitSpec().quota(), "", 1, 1);
    }

    private static <T> T settings(Class<T> kind) {
        return new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withConverter(Duration.class, 200, new DurationConverter())
                .withMapping(kind)
                .withDefaultValues(Map.of(
                        "meridian.limiter.redis.requests-per-call",
                        "3",
                        "meridian.limiter.redis.groups-worth-a-call",
                        "3",
                        "meridian.limiter.redis.calls-in-flight",
                        Integer.toString(CALLS_IN_FLIGHT),
                        "meridian.limiter.redis.groups-per-turn",
                        Integer.toString(GROUPS_PER_TURN)))
                .build()
                .getConfigMapping(kind);
    }

    /** A call on its way. */
    private final class Call {
        private final List<List<CounterRequest>> groups;
        private final long named;
        private final CompletableFuture<Counted> answer = new CompletableFuture<>();
        private final List<Reply> replies = new ArrayList<>();

        Call(List<List<CounterRequest>> groups, long named) {
            this.groups = groups;
            this.named = named;
        }

        /** At the server. */
        void execute() throws StaleIncarnationException {
            for (List<CounterRequest> group : groups) {
                replies.add(new Reply(region.count(group, named, NOW, limit -> FloorOffer.NONE), NOW));
            }
        }

        void deliver() {
            answer.complete(new Counted(replies, OptionalLong.of(named)));
        }
    }

    /** An event loop and a server that do each step when the test says so. */
    private final class ManualTransport implements LaneTransport {
        private final Queue<Call> calls = new ArrayDeque<>();
        private final List<Runnable> turn = new ArrayList<>();
        private final List<Runnable> timers = new ArrayList<>();
        private int runs;
        private int identified;
        private int made;
        private boolean failing;

        void endTurn() {
            List<Runnable> tasks = List.copyOf(turn);
            turn.clear();
            tasks.forEach(Runnable::run);
        }

        void expire() {
            List<Runnable> due = List.copyOf(timers);
            timers.clear();
            due.forEach(Runnable::run);
        }

        /** The server executes the oldest call; its reply is on its way back. */
        Call count() {
            Call call = calls.remove();
            call.execute();
            return call;
        }

        void answer() {
            Call call = calls.remove();
            try {
                call.execute();
            } catch (StaleIncarnationException stale) {
                call.answer.completeExceptionally(new StaleIncarnation(String.valueOf(stale.getMessage())));
                return;
            }
            call.deliver();
        }

        void fail() {
            calls.remove().answer.completeExceptionally(new RegionUnavailable("the connection is gone"));
        }

        /** The server restarts with its data: another incarnation begins. */
        void restart() {
            runs++;
            region.identify(new Server("run-" + runs, "", 0), 0, NOW);
        }

        @Override
        public void atEndOfTurn(Runnable task) {
            turn.add(task);
        }

        @Override
        public Runnable after(Duration waited, Runnable task) {
            timers.add(task);
            return () -> timers.remove(task);
        }

        @Override
        public Duration patience() {
            return Duration.ofMillis(25);
        }

        @Override
        public void known() {}

        @Override
        public void failed(Throwable failure) {}

        @Override
        public int node(List<CounterRequest> group) {
            return group.get(0).limit().policy().id().equals("elsewhere") ? 1 : 0;
        }

        @Override
        public CompletionStage<Counted> count(List<List<CounterRequest>> groups) {
            made++;
            if (failing) {
                return CompletableFuture.failedFuture(new RegionUnavailable("not connected"));
            }
            Call call = new Call(groups, state.incarnation().current().orElseThrow());
            calls.add(call);
            return call.answer;
        }

        @Override
        public CompletionStage<Boolean> identifyAgain() {
            identified++;
            long number =
                    region.identify(new Server("run-" + runs, "", 0), 0, NOW).number();
            return CompletableFuture.completedFuture(state.incarnation().learn(number, false));
        }
    }
}
