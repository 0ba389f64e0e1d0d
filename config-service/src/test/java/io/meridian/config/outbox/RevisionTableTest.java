package io.meridian.config.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.testkit.TestSeeds;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RevisionTableTest {
    private static final int KEYS = 100_000;

    @Test
    void a_hundred_thousand_keys_put_removed_and_put_again_are_as_in_a_map() {
        SplittableRandom random = new SplittableRandom(TestSeeds.first());
        RevisionTable table = new RevisionTable();
        Map<Long, Long> expected = new HashMap<>();
        for (int turn = 0; turn < 3 * KEYS; turn++) {
            long hash = RevisionTable.hash("deny:user_id:" + random.nextInt(KEYS));
            long revision = random.nextInt(4) == 0 ? RevisionTable.ABSENT : turn;
            table.put(hash, revision);
            expected.put(hash, revision);
        }

        assertThat(expected).hasSizeGreaterThan(KEYS * 9 / 10);
        expected.forEach((hash, revision) -> assertThat(table.get(hash)).isEqualTo(revision));
        assertThat(table.get(RevisionTable.hash("never put"))).isEqualTo(RevisionTable.ABSENT);
    }

    @Test
    void keys_that_begin_at_one_place_are_told_apart() {
        RevisionTable table = new RevisionTable();
        for (long high = 1; high <= 5_000; high++) {
            table.put(high << 32, high);
        }

        for (long high = 1; high <= 5_000; high++) {
            assertThat(table.get(high << 32)).isEqualTo(high);
        }
        assertThat(table.get(5_001L << 32)).isEqualTo(RevisionTable.ABSENT);
    }

    @Test
    void the_hash_that_stands_for_a_free_place_is_a_key_like_any_other() {
        RevisionTable table = new RevisionTable();
        table.put(0, 5);
        table.put(1L << 32, 6);

        assertThat(table.get(0)).isEqualTo(5);
        assertThat(table.get(1L << 32)).isEqualTo(6);
    }
}
