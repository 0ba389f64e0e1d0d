package io.meridian.limiter.rules.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.model.match.Check;
import io.meridian.model.rules.Identifier;
import io.meridian.model.time.TimeSource;
import io.meridian.testkit.TestAmounts;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** What an entry takes and what a look-up costs, at a thousand and at many entries, a million in the profile full: printed, and the former held. */
class TableFiguresTest {
    private static final int MANY = TestAmounts.of(100_000, 1_000_000);

    /** A key of 22 characters, its expiry, and the index. */
    private static final double BYTES_PER_KEY_MAX = 48;

    private static final double BYTES_PER_ADDRESS_MAX = 32;
    private static final int LOOK_UPS = 20_000;
    private static final int ROUNDS = TestAmounts.of(5, 100);
    private static final int CHECKS = 4_096;

    @Test
    void an_entry_takes_tens_of_bytes() {
        for (int size : new int[] {1_000, MANY}) {
            double perKey = print("api_key", size, i -> "key-%018d".formatted(i));
            double perAddress =
                    print("ip", size, i -> "10." + (i >> 16 & 255) + "." + (i >> 8 & 255) + "." + (i & 255));
            assertThat(perKey).isLessThan(BYTES_PER_KEY_MAX);
            assertThat(perAddress).isLessThan(BYTES_PER_ADDRESS_MAX);
        }
    }

    private static double print(String type, int size, IntFunction<String> name) {
        IdentifierTableWriter writer = new IdentifierTableWriter(1);
        for (int i = 0; i < size; i++) {
            writer.put(new Identifier(type, name.apply(i)), Long.MAX_VALUE);
        }
        IdentifierTable table = writer.publish();
        double bytes = (double) table.bytes() / size;
        System.out.println(String.format(
                Locale.ROOT,
                "%-8s %9d entries: %5.1f bytes per entry, found in %6.1f ns, missed in %6.1f ns",
                type,
                size,
                bytes,
                nanos(table, type, i -> name.apply((int) ((long) i * size / CHECKS)), true),
                nanos(table, type, i -> name.apply(size + i), false)));
        return bytes;
    }

    /** The best of a few rounds: what else runs on the machine only ever adds to a time. */
    private static double nanos(IdentifierTable table, String type, IntFunction<String> name, boolean there) {
        Check[] checks = new Check[CHECKS];
        for (int i = 0; i < CHECKS; i++) {
            checks[i] = new Check(Map.of(type, name.apply(i)), "/", "GET", Map.of(), "", 1);
        }
        double best = Double.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            int found = 0;
            long start = TimeSource.system().monotonicNanos();
            for (int i = 0; i < LOOK_UPS; i++) {
                found += table.find(checks[i * 31 & (CHECKS - 1)], 0) == null ? 0 : 1;
            }
            best = Math.min(best, (double) (TimeSource.system().monotonicNanos() - start) / LOOK_UPS);
            assertThat(found).isEqualTo(there ? LOOK_UPS : 0);
        }
        return best;
    }
}
