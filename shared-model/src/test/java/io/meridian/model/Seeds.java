package io.meridian.model;

import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Where chance comes from: {@code -Dmeridian.seed} or a fixed number, and every failure says which seed replays it. */
public final class Seeds {
    public static final int HISTORIES = 10_000;

    private static final long BASE = Long.getLong("meridian.seed", 20_260_101L);

    private Seeds() {}

    public static void forEachHistory(Consumer<SplittableRandom> check) {
        forEachHistory(HISTORIES, check);
    }

    public static void forEachHistory(int histories, Consumer<SplittableRandom> check) {
        for (long seed = BASE; seed < BASE + histories; seed++) {
            try {
                check.accept(new SplittableRandom(seed));
            } catch (AssertionError | RuntimeException failure) {
                throw new AssertionError("-Dmeridian.seed=" + seed + " replays: " + failure, failure);
            }
        }
    }
}
