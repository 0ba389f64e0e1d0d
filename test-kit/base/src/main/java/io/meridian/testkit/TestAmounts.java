package io.meridian.testkit;

/**
 * Amounts of work in tests: how many histories, kills, requests or entries. The default build uses the small amount, {@code mvn
 * verify -Pfull} the large one.
 */
public final class TestAmounts {
    private static final boolean FULL = isFull(System.getProperty("meridian.tests", "default"));

    private TestAmounts() {}

    public static int of(int byDefault, int full) {
        return FULL ? full : byDefault;
    }

    public static long of(long byDefault, long full) {
        return FULL ? full : byDefault;
    }

    public static <T> T of(T byDefault, T full) {
        return FULL ? full : byDefault;
    }

    static boolean isFull(String tests) {
        return switch (tests) {
            case "default" -> false;
            case "full" -> true;
            default -> throw new IllegalArgumentException("meridian.tests must be default or full, got " + tests);
        };
    }
}
