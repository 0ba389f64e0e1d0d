package io.meridian.testkit.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.meridian.testkit.TestSeeds;
import io.meridian.testkit.load.Keys.Zipf;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ZipfTest {
    private static final int DRAWS = 200_000;

    @Test
    void every_share_has_its_rank() {
        Zipf zipf = new Zipf(3); // weights 6/11, 3/11, 2/11

        assertThat(zipf.rank(0)).isZero();
        assertThat(zipf.rank(0.54)).isZero();
        assertThat(zipf.rank(0.55)).isEqualTo(1);
        assertThat(zipf.rank(0.81)).isEqualTo(1);
        assertThat(zipf.rank(0.82)).isEqualTo(2);
        assertThat(zipf.rank(Math.nextDown(1.0))).isEqualTo(2);
    }

    @Test
    void the_second_comes_half_as_often_as_the_first() {
        Keys keys = Keys.zipf(10_000, TestSeeds.first());
        long[] drawn = LongStream.generate(keys::next).limit(DRAWS).toArray();

        double first = LongStream.of(drawn).filter(key -> key == 0).count();
        double second = LongStream.of(drawn).filter(key -> key == 1).count();

        // Six standard deviations.
        assertThat(first / DRAWS).isCloseTo(0.102, within(0.0045));
        assertThat(second / first).isCloseTo(0.5, within(0.04));
        assertThat(LongStream.of(drawn).max().orElseThrow()).isLessThan(10_000);
    }

    @Test
    void a_seed_replays() {
        long seed = TestSeeds.first();
        Keys one = Keys.zipf(100, seed);
        Keys other = Keys.zipf(100, seed);

        for (int i = 0; i < 1_000; i++) {
            assertThat(one.next()).isEqualTo(other.next());
        }
    }
}
