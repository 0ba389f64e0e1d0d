package io.meridian.stack.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.stack.faults.LinkConditions.Chance;
import io.meridian.stack.faults.Toxic.Direction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ChanceTest {
    @Test
    void toxicity_is_the_share_of_connections_affected() {
        assertThat(affected(7, 0)).isZero();
        assertThat(affected(7, 0.3)).isBetween(2_700L, 3_300L);
        assertThat(affected(7, 1)).isEqualTo(10_000);
    }

    @Test
    void a_higher_toxicity_only_adds_connections() {
        for (long link = 0; link < 1_000; link++) {
            Chance chance = new Chance(7, link);
            if (chance.affects(toxic(0.2))) {
                assertThat(chance.affects(toxic(0.4))).as("link %s", link).isTrue();
            }
        }
    }

    @Test
    void the_same_seed_draws_the_same_jitter() {
        assertThat(new Chance(7, 3).jitter(Direction.UPSTREAM).nextLong())
                .isEqualTo(new Chance(7, 3).jitter(Direction.UPSTREAM).nextLong())
                .isNotEqualTo(new Chance(7, 3).jitter(Direction.DOWNSTREAM).nextLong())
                .isNotEqualTo(new Chance(8, 3).jitter(Direction.UPSTREAM).nextLong());
    }

    private static long affected(long seed, double toxicity) {
        return LongStream.range(0, 10_000)
                .filter(link -> new Chance(seed, link).affects(toxic(toxicity)))
                .count();
    }

    private static Toxic toxic(double toxicity) {
        return new Toxic("hole", Direction.UPSTREAM, toxicity, new ToxicEffect.Timeout(0));
    }
}
