package io.meridian.testkit;

import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Seeded histories: those of the day for what must hold in each of them, the known ones for controls that must fail in one. */
public enum Histories {
    TODAY {
        @Override
        public void forEach(int histories, Consumer<SplittableRandom> check) {
            TestSeeds.forEachHistory(histories, check);
        }
    },
    KNOWN {
        @Override
        public void forEach(int histories, Consumer<SplittableRandom> check) {
            TestSeeds.forEachKnownHistory(histories, check);
        }
    };

    /** Histories of one test, unless it says otherwise. */
    public static final int COUNT = TestAmounts.of(2_000, 10_000);

    /** Histories of a control, which ends with the first that fails. */
    private static final int COUNT_OF_A_CONTROL = 10_000;

    /** Calls the check once per history; a failure names the seed that repeats it. */
    public abstract void forEach(int histories, Consumer<SplittableRandom> check);

    public void forEach(Consumer<SplittableRandom> check) {
        forEach(this == KNOWN ? COUNT_OF_A_CONTROL : COUNT, check);
    }
}
