package io.meridian.limiter.redis;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.limiter.region.RegionCounters;
import io.meridian.limiter.region.RegionUnavailable;
import io.meridian.model.counter.CounterRequest;
import io.meridian.testkit.servers.RedisUnderTest;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A Redis that answers after the budget of the call. The budget is short, so on a busy machine any call may miss it: all of them
 * are repeated until one is answered.
 */
@QuarkusTest
@WithTestResource(
        value = RedisUnderTestResource.class,
        initArgs = @ResourceArg(name = RedisUnderTestResource.BUDGET, value = "500ms"))
@Timeout(300)
class LateAnswerTest {
    @Inject
    @SuppressWarnings("NullAway.Init") // by the container
    RegionCounters counters;

    @SuppressWarnings("NullAway.Init") // by the resource
    RedisUnderTest redis;

    @Test
    void what_a_frozen_server_took_too_late_is_given_back() throws Exception {
        eventually("nothing is taken").until(() -> isRemaining(1_000));
        redis.freeze();

        assertThatThrownBy(() -> counters.ask(List.of(new CounterRequest.Take(Limits.of("frozen", 1_000), 7, 0, 0)))
                        .toCompletableFuture()
                        .join())
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(RegionUnavailable.class);
        redis.thaw();

        eventually("it answers again").until(() -> remaining().isPresent());
        eventually("it is given back").until(() -> isRemaining(1_000));
    }

    private boolean isRemaining(long units) {
        return remaining().equals(OptionalLong.of(units));
    }

    /** Nothing if there was no answer in time. */
    private OptionalLong remaining() {
        try {
            return OptionalLong.of(counters.ask(List.of(new CounterRequest.Peek(Limits.of("frozen", 1_000), 1)))
                    .toCompletableFuture()
                    .join()
                    .told()
                    .get(0)
                    .standing()
                    .remaining());
        } catch (CompletionException away) {
            assertThat(away).hasCauseInstanceOf(RegionUnavailable.class);
            return OptionalLong.empty();
        }
    }
}
