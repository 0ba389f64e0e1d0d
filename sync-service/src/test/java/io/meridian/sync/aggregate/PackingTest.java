package io.meridian.sync.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.model.policy.Coordination.AfterHeal;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.SharingMode;
import io.meridian.model.usage.WindowRule;
import io.meridian.sync.aggregate.Incarnations.Numbering;
import io.meridian.sync.aggregate.LimitTable.LimitIdentity;
import io.meridian.testkit.Histories;
import io.meridian.testkit.TestAmounts;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PackingTest {
    private static final int HISTORIES = TestAmounts.of(300, 3_000);

    private final EntryPacking packing = new EntryPacking(new Numbering<>(), Facts.HASH);

    @Test
    void what_is_unpacked_is_what_was_packed() {
        Histories.TODAY.forEach(HISTORIES, random -> {
            LimitEntry entry = entry(random);

            byte[] packed = packing.pack(entry);
            LimitEntry again = packing.unpack(packed);

            assertThat(again).usingRecursiveComparison().isEqualTo(entry);
            assertThat(packing.pack(again)).isEqualTo(packed);
        });
    }

    @Test
    void an_entry_is_found_by_its_own_identity_and_by_no_other() {
        Histories.TODAY.forEach(HISTORIES, random -> {
            LimitEntry one = entry(random);
            LimitEntry other = entry(random);
            byte[] packed = packing.pack(one);
            LimitIdentity own = packing.identity(one.limit);

            assertThat(own.isOf(packed)).isTrue();
            assertThat(LimitIdentity.hashOf(packed, Facts.HASH)).isEqualTo(own.hashCode());
            assertThat(packing.identity(other.limit).isOf(packed)).isEqualTo(one.limit.equals(other.limit));
        });
    }

    @Test
    void a_key_that_begins_like_another_is_another() {
        LimitEntry longer = new LimitEntry(new LimitWindow("p", "ab", 0), WindowRule.ofVersion(1));

        assertThat(packing.identity(new LimitWindow("p", "a", 0)).isOf(packing.pack(longer)))
                .isFalse();
    }

    private static LimitEntry entry(SplittableRandom random) {
        String key = "k".repeat(random.nextInt(4)) + (random.nextInt(9) == 0 ? "ü€".repeat(random.nextInt(400)) : "");
        LimitEntry entry = new LimitEntry(
                new LimitWindow("p" + random.nextInt(300), key, 1_000_000L * random.nextLong(4_102_444_800L)),
                new WindowRule(
                        random.nextInt(1_000),
                        number(random),
                        1_000_000L * random.nextInt(2_678_401),
                        SharingMode.ofCode(random.nextInt(4)),
                        AfterHeal.ofCode(random.nextInt(3))));
        entry.reportedExcess = number(random);
        for (int i = random.nextInt(7); i > 0; i--) {
            RegionRow row = entry.row(random.nextInt(400));
            row.taken = number(random);
            row.returned = number(random);
            row.granted = number(random);
            row.grantReturned = number(random);
            row.demandPerSecond = number(random);
            row.refusedCost = number(random);
            row.reportedTenths = number(random);
            row.publishedElsewhere = number(random);
            row.publishedBlocked = random.nextBoolean();
        }
        return entry;
    }

    /** Of any length in bits, and often nothing. */
    private static long number(SplittableRandom random) {
        return random.nextInt(3) == 0 ? 0 : random.nextLong() >>> random.nextInt(1, 64);
    }
}
