package io.meridian.limiter.global;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.TestKeys;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Quota;
import io.meridian.model.algorithm.Window;
import io.meridian.model.counter.GlobalCounter.FloorOffer;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Coordination;
import io.meridian.model.policy.Coordination.AfterHeal;
import io.meridian.model.policy.Coordination.Mode;
import io.meridian.model.policy.Coordination.OnExhausted;
import io.meridian.model.policy.Coordination.Scope;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.Policy;
import io.meridian.model.policy.Policy.Revision;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.wire.FloorRight;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RegionFloorsTest {
    private static final long SECOND = 1_000_000;
    private static final long START = 1_768_474_800 * SECOND;
    private static final Window WINDOW = Window.parse("60s");
    private static final Coordination ESCROW = coordination(OnExhausted.DENY, 50, AfterHeal.FORGIVE);
    private static final int LIFE = 7;

    private long nowMicros = START + SECOND;
    private final RegionFloors floors = new RegionFloors("us-east", TestKeys.KEYS, () -> nowMicros);

    @Test
    void a_region_is_offered_its_place_of_the_limit_within_its_range() {
        hear(right("us-east", LIFE, START, START + 600 * SECOND));

        assertThat(floors.offer(limit(ESCROW, 1), LIFE)).isEqualTo(new FloorOffer(62, START, START + 600 * SECOND));
    }

    @Test
    void another_region_another_incarnation_and_another_window_are_offered_nothing() {
        hear(right("us-west", LIFE, START, START + 600 * SECOND));
        assertThat(floors.offer(limit(ESCROW, 1), LIFE)).isEqualTo(FloorOffer.NONE);
        hear(right("us-east", LIFE - 1, START, START + 600 * SECOND));
        assertThat(floors.offer(limit(ESCROW, 1), LIFE)).isEqualTo(FloorOffer.NONE);
        hear(right("us-east", LIFE, START + 60 * SECOND, START + 600 * SECOND));
        assertThat(floors.offer(limit(ESCROW, 1), LIFE)).isEqualTo(FloorOffer.NONE);

        nowMicros += 60 * SECOND;
        assertThat(floors.offer(limit(ESCROW, 1), LIFE).units()).isEqualTo(62);
        assertThat(floors.offer(limit(ESCROW, 1), LIFE - 1).units()).isEqualTo(62);
        nowMicros += 600 * SECOND;
        assertThat(floors.offer(limit(ESCROW, 1), LIFE)).as("not renewed").isEqualTo(FloorOffer.NONE);
    }

    @Test
    void a_right_of_a_leader_with_another_secret_offers_nothing() {
        FloorRight right = right("us-east", LIFE, START, START + 600 * SECOND);

        hear(new FloorRight(
                right.incarnation(), 3, 8, right.fromMicros(), right.untilMicros(), TestKeys.KEYS.secretCheck() + 1));

        assertThat(floors.offer(limit(ESCROW, 1), LIFE)).isEqualTo(FloorOffer.NONE);
    }

    @Test
    void a_range_ends_where_the_latest_word_on_it_says() {
        hear(right("us-east", LIFE, START, START + 600 * SECOND));
        hear(right("us-east", LIFE, START, START + 660 * SECOND));
        hear(right("us-east", LIFE, START, START + 630 * SECOND));

        assertThat(floors.offer(limit(ESCROW, 1), LIFE).untilMicros()).isEqualTo(START + 660 * SECOND);
    }

    @Test
    void of_very_many_ranges_the_latest_are_known() {
        for (int i = 0; i < 1_000; i++) {
            hear(right("us-east", i, START, START + 600 * SECOND));
        }

        assertThat(floors.offer(limit(ESCROW, 1), 999).units()).isEqualTo(62);
        assertThat(floors.offer(limit(ESCROW, 1), 0)).isEqualTo(FloorOffer.NONE);
    }

    @Test
    void a_policy_chooses_how_large_floors_are() {
        hear(right("us-east", LIFE, START, START + 600 * SECOND));

        assertThat(floors.offer(limit(coordination(OnExhausted.DENY, 20, AfterHeal.FORGIVE), 1), LIFE)
                        .units())
                .isEqualTo(25);
        assertThat(floors.offer(limit(coordination(OnExhausted.DENY, 0, AfterHeal.FORGIVE), 1), LIFE))
                .isEqualTo(FloorOffer.NONE);
    }

    @Test
    void a_limit_that_may_be_lowered_by_what_is_carried_into_its_window_has_no_floor() {
        hear(right("us-east", LIFE, START, START + 600 * SECOND));

        assertThat(floors.offer(limit(coordination(new OnExhausted.Local(), 50, AfterHeal.CARRY), 1), LIFE))
                .isEqualTo(FloorOffer.NONE);
        assertThat(floors.offer(limit(coordination(OnExhausted.DENY, 50, AfterHeal.CARRY), 1), LIFE)
                        .units())
                .isEqualTo(62);
    }

    @Test
    void windows_that_began_before_the_policy_was_changed_have_no_floor() {
        hear(right("us-east", LIFE, 0, START + 600 * SECOND));

        assertThat(floors.offer(limit(ESCROW, 1), LIFE).fromMicros())
                .as("a new policy")
                .isLessThan(START);
        assertThat(floors.offer(limit(ESCROW, 2), LIFE).fromMicros()).isEqualTo(START + SECOND / 2);
    }

    @Test
    void a_window_whose_account_may_have_ended_has_no_floor_after_the_clock_was_set_back() {
        hear(right("us-east", LIFE, 0, START + 3_600 * SECOND));
        nowMicros = START + 1_800 * SECOND;
        assertThat(floors.offer(limit(ESCROW, 1), LIFE).fromMicros()).isLessThan(START + 1_800 * SECOND);

        nowMicros = START + SECOND;

        assertThat(floors.offer(limit(ESCROW, 1), LIFE).fromMicros()).isGreaterThan(START);
    }

    private void hear(FloorRight right) {
        floors.heard(0, right);
    }

    private static FloorRight right(String region, long life, long fromMicros, long untilMicros) {
        return new FloorRight(
                new RegionIncarnation(region, life), 3, 8, fromMicros, untilMicros, TestKeys.KEYS.secretCheck());
    }

    private static Coordination coordination(OnExhausted onExhausted, int floorPercent, AfterHeal afterHeal) {
        return new Coordination(Scope.GLOBAL, Mode.ESCROW, onExhausted, floorPercent, afterHeal);
    }

    private static Limit limit(Coordination coordination, long version) {
        Policy plain = Policy.of("p", KeySpec.ONE_FOR_ALL, Algorithm.FIXED_WINDOW, 1_000, WINDOW);
        Policy policy = new Policy(
                plain.id(),
                plain.name(),
                plain.description(),
                plain.appliesTo(),
                plain.key(),
                plain.limitSpec(),
                coordination,
                plain.enforcement(),
                0,
                true,
                new Revision(
                        version, Instant.EPOCH, Instant.ofEpochMilli(TimeUnit.MICROSECONDS.toMillis(START) + 500)));
        return new Limit(policy, Quota.of(1_000, 0, WINDOW), "k", 1, 1);
    }
}
