package io.meridian.drill.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.meridian.drill.history.InjectedFault.PartAction;
import io.meridian.drill.sample.SampleFaults;
import org.junit.jupiter.api.Test;

/** What a fault explains, by its type. */
class FaultSpanTest {
    @Test
    void words_decide_nothing() {
        FaultSpan stopped = new FaultSpan(
                "network kafka",
                SampleFaults.postgres(PartAction.STOP),
                "the leader sync-1, limiter-us-east and redis-us-east killed, which is 300ms further from Kafka",
                0,
                1,
                true);

        assertThat(stopped.isOfLeader()).isFalse();
        assertThat(stopped.isOfPart("sync-1")).isFalse();
        assertThat(stopped.killsLimiter("us-east")).isFalse();
        assertThat(stopped.losesRedis("us-east")).isFalse();
        assertThat(stopped.delaysLoop()).isFalse();
        assertThat(stopped.addedDelayMillis()).isEmpty();
    }

    @Test
    void a_redis_loses_its_data_when_it_is_killed_or_wiped_and_keeps_it_otherwise() {
        for (PartAction action : PartAction.values()) {
            boolean loses = action == PartAction.KILL || action == PartAction.WIPE;

            assertThat(span(SampleFaults.redis(action, "us-east")).losesRedis("us-east"))
                    .as(action.name())
                    .isEqualTo(loses);
            assertThat(span(SampleFaults.redis(action, "us-east")).losesRedis("us"))
                    .isFalse();
        }
    }

    @Test
    void a_limiter_loses_its_leases_only_when_it_is_killed() {
        for (PartAction action : PartAction.values()) {
            assertThat(span(SampleFaults.limiter(action, "us-east")).killsLimiter("us-east"))
                    .as(action.name())
                    .isEqualTo(action == PartAction.KILL);
            assertThat(span(SampleFaults.limiter(action, "us-east")).killsLimiter("us-east-2"))
                    .isFalse();
        }
    }

    @Test
    void what_stands_between_regions_and_centre_delays_the_loop_and_so_does_every_restart() {
        assertThat(span(SampleFaults.cut("centre")).delaysLoop()).isTrue();
        assertThat(span(SampleFaults.narrowed("eu-west")).delaysLoop()).isTrue();
        assertThat(span(SampleFaults.leader(PartAction.FREEZE, "sync-1")).delaysLoop())
                .isTrue();
        assertThat(span(SampleFaults.limiter(PartAction.KILL, "eu-west")).delaysLoop())
                .isFalse();
        assertThat(span(SampleFaults.limiter(PartAction.RESTART, "eu-west")).delaysLoop())
                .isTrue();
        assertThat(span(SampleFaults.postgres(PartAction.RESTART)).delaysLoop()).isTrue();
    }

    @Test
    void only_a_delay_makes_a_link_longer_and_its_jitter_counts() {
        assertThat(span(SampleFaults.delayed("eu-west", 300, 20)).addedDelayMillis())
                .hasValue(320);
        assertThat(span(SampleFaults.cut("eu-west")).addedDelayMillis()).isEmpty();
        assertThat(span(SampleFaults.narrowed("eu-west")).addedDelayMillis()).isEmpty();
    }

    @Test
    void a_description_that_contradicts_itself_is_refused_by_field() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SampleFaults.delayed("eu-west", 0, 0))
                .withMessage("latency_millis must be positive, got 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SampleFaults.redis(PartAction.KILL, ""))
                .withMessage("region of REDIS must be given, got \"\"");
    }

    private static FaultSpan span(InjectedFault injected) {
        return new FaultSpan("f", injected, "a fault", 0, 1, true);
    }
}
