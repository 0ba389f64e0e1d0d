package io.meridian.sync.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.WindowRule;
import io.meridian.sync.aggregate.Incarnations.Numbering;
import io.meridian.testkit.Histories;
import io.meridian.testkit.TestAmounts;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LimitTableTest {
    private static final int HISTORIES = TestAmounts.of(20, 100);
    private static final int MANY = 100_000;

    private final EntryPacking packing = new EntryPacking(new Numbering<>(), Facts.HASH);

    @Test
    void it_holds_what_a_map_holds_over_puts_and_sweeps() {
        Histories.TODAY.forEach(HISTORIES, random -> {
            LimitTable table = new LimitTable(Facts.HASH);
            Map<LimitWindow, Long> twin = new HashMap<>();
            int keys = 1 << random.nextInt(1, 11);
            for (int i = 0; i < 2_000; i++) {
                LimitWindow limit = limit(random.nextInt(keys));
                if (random.nextInt(200) == 0) {
                    sweep(random, table, twin);
                } else if (random.nextBoolean()) {
                    long told = random.nextLong(1_000);
                    table.put(packing.identity(limit), packed(limit, told));
                    twin.put(limit, told);
                }
                assertThat(told(table, limit)).isEqualTo(twin.get(limit));
            }
            agree(table, twin);
        });
    }

    @Test
    void it_grows_to_a_hundred_thousand_and_shrinks_to_nothing() {
        LimitTable table = new LimitTable(Facts.HASH);
        Map<LimitWindow, Long> twin = new HashMap<>();
        for (int i = 0; i < MANY; i++) {
            table.put(packing.identity(limit(i)), packed(limit(i), i));
            twin.put(limit(i), (long) i);
        }
        agree(table, twin);

        for (int part = 0; part < LimitTable.PARTS; part++) {
            table.sweep(packed -> packing.unpack(packed).reportedExcess % 3 > 0);
        }
        twin.values().removeIf(told -> told % 3 > 0);
        agree(table, twin);

        for (int part = 0; part < LimitTable.PARTS; part++) {
            table.sweep(packed -> true);
        }
        assertThat(table.size()).isZero();
        assertThat(told(table, limit(3))).isNull();
    }

    /** Sweeps all parts, because only that tells what is gone. */
    private void sweep(SplittableRandom random, LimitTable table, Map<LimitWindow, Long> twin) {
        long doomed = random.nextLong(1, 5);
        for (int part = 0; part < LimitTable.PARTS; part++) {
            table.sweep(packed -> packing.unpack(packed).reportedExcess % doomed == 0);
        }
        twin.values().removeIf(told -> told % doomed == 0);
    }

    private void agree(LimitTable table, Map<LimitWindow, Long> twin) {
        Map<LimitWindow, Long> found = new HashMap<>();
        table.forEach(packed -> {
            LimitEntry entry = packing.unpack(packed);
            assertThat(found.put(entry.limit, entry.reportedExcess)).isNull();
        });
        assertThat(found).isEqualTo(twin);
        assertThat(table.size()).isEqualTo(twin.size());
        twin.forEach((limit, told) -> assertThat(told(table, limit)).isEqualTo(told));
    }

    private @Nullable Long told(LimitTable table, LimitWindow limit) {
        byte[] packed = table.find(packing.identity(limit));
        return packed == null ? null : packing.unpack(Arrays.copyOf(packed, packed.length)).reportedExcess;
    }

    private byte[] packed(LimitWindow limit, long told) {
        LimitEntry entry = new LimitEntry(limit, WindowRule.ofVersion(1));
        entry.reportedExcess = told;
        return packing.pack(entry);
    }

    private static LimitWindow limit(int number) {
        return new LimitWindow("p" + number % 7, "user_id=" + number / 2, 60_000_000L * (number % 2));
    }
}
