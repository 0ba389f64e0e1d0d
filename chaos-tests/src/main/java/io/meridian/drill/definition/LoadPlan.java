package io.meridian.drill.definition;

import io.meridian.drill.history.Subject.Sharing;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Load of a drill on all regions, and the length of its phases in whole windows.
 *
 * @param faultWindows at least; the fault phase lasts until the method is done
 */
public record LoadPlan(
        Duration window, List<PolicyLoad> policies, int controlWindows, int faultWindows, int recoveryWindows) {
    /** Checks of all policies in all regions; a drill is no load test. */
    static final double PER_SECOND_MAX = 2_000;

    /** Checks of all policies in all regions that are in flight at once, beside the rest of the load. */
    static final long AT_ONCE_MAX = 500;

    private static final int WINDOWS_MAX = 60;
    private static final Duration WINDOW_MAX = Duration.ofMinutes(5);

    public LoadPlan {
        policies = List.copyOf(policies);
        if (window.compareTo(Duration.ofSeconds(1)) < 0
                || window.compareTo(WINDOW_MAX) > 0
                || window.toNanosPart() != 0) {
            throw new IllegalArgumentException("window must be whole seconds from 1s to 5m, got " + window);
        }
        if (policies.isEmpty() || policies.size() > Sharing.values().length) {
            throw new IllegalArgumentException("policies must be from 1 to 3, got " + policies.size());
        }
        if (policies.stream().map(PolicyLoad::sharing).distinct().count() < policies.size()) {
            throw new IllegalArgumentException("policies must differ in how regions share them, got "
                    + policies.stream().map(PolicyLoad::sharing).toList());
        }
        requireWindows("control", controlWindows);
        requireWindows("fault", faultWindows);
        requireWindows("recovery", recoveryWindows);
    }

    /** Refuses a load above the bounds, on that many regions. */
    public void requireWithinBounds(int regions) {
        double sum = policies.stream()
                .mapToDouble(policy -> policy.checks(regions) * 1000 / window.toMillis())
                .sum();
        if (sum > PER_SECOND_MAX) {
            throw new IllegalArgumentException(
                    "load must be at most %.0f checks per second, got %.0f".formatted(PER_SECOND_MAX, sum));
        }
        long atOnce =
                policies.stream().mapToLong(policy -> policy.atOnce(regions)).sum();
        if (atOnce > AT_ONCE_MAX) {
            throw new IllegalArgumentException(
                    "load must be at most %d checks at once, got %d".formatted(AT_ONCE_MAX, atOnce));
        }
    }

    /** The same rates with windows of another length; limits scale with it. */
    public LoadPlan withWindow(Duration other) {
        double factor = (double) other.toMillis() / window.toMillis();
        return new LoadPlan(
                other,
                policies.stream().map(policy -> policy.times(factor)).toList(),
                controlWindows,
                faultWindows,
                recoveryWindows);
    }

    public LoadPlan withWindows(int control, int fault, int recovery) {
        return new LoadPlan(window, policies, control, fault, recovery);
    }

    private static void requireWindows(String field, int windows) {
        if (windows < 1 || windows > WINDOWS_MAX) {
            throw new IllegalArgumentException(
                    "windows of %s must be from 1 to %d, got %d".formatted(field, WINDOWS_MAX, windows));
        }
    }

    /**
     * Policy that a drill creates, and the load on it.
     *
     * @param demand cost requested in a window, as a multiple of the limit: by all regions together, or by each where the limit is regional.
     *     With {@link Arrival#FIRST_REGION} by the first region, and by all others together again
     */
    public record PolicyLoad(Sharing sharing, long limit, double demand, Arrival arrival) {
        private static final long LIMIT_MAX = 1_000_000;
        private static final double DEMAND_MAX = 20;

        public PolicyLoad {
            if (limit < 1 || limit > LIMIT_MAX) {
                throw new IllegalArgumentException("limit must be from 1 to %d, got %d".formatted(LIMIT_MAX, limit));
            }
            if (!(demand > 0 && demand <= DEMAND_MAX)) {
                throw new IllegalArgumentException(
                        "demand must be above 0, at most %.0f, got %s".formatted(DEMAND_MAX, demand));
            }
            if (arrival == Arrival.FIRST_REGION && demand < 1) {
                throw new IllegalArgumentException(
                        "demand must be at least 1 for arrival %s, so that one region uses the limit up, got %s"
                                .formatted(arrival.word(), demand));
            }
        }

        /** Defaults. The demand for a converging limit exceeds it in each of five regions, so that each part of a split network can use it up. */
        public static PolicyLoad defaults(Sharing sharing) {
            return switch (sharing) {
                case ESCROW -> new PolicyLoad(sharing, 100, 2, Arrival.EVEN);
                case CONVERGE -> new PolicyLoad(sharing, 50, 6, Arrival.EVEN);
                case REGIONAL -> new PolicyLoad(sharing, 20, 1.5, Arrival.EVEN);
            };
        }

        /** Checks of one region in a window, of that many that share the demand. */
        private double checksAmong(int regions) {
            return demand * limit / (sharing == Sharing.REGIONAL ? 1 : regions);
        }

        /** Rate of one region with {@link Arrival#EVEN}. */
        public double perSecondAndRegion(Duration window, int regions) {
            return checksAmong(regions) * 1000 / window.toMillis();
        }

        /** Checks of each region in a window with {@link Arrival#BURST}. */
        public long burst(int regions) {
            return (long) Math.ceil(checksAmong(regions));
        }

        /** Checks of the first region in a window with {@link Arrival#FIRST_REGION}. */
        public long first() {
            return burst(1);
        }

        /** Checks of each other region in a window with {@link Arrival#FIRST_REGION}. */
        public long later(int regions) {
            return burst(Math.max(1, regions - 1));
        }

        /** Checks of all regions in a window. */
        double checks(int regions) {
            return switch (arrival) {
                case EVEN -> regions * checksAmong(regions);
                case FIRST_REGION -> first() + (regions - 1.0) * later(regions);
                case BURST -> (double) regions * burst(regions);
            };
        }

        /** Checks of all regions that are sent at the same time. */
        long atOnce(int regions) {
            return arrival == Arrival.BURST ? regions * burst(regions) : 0;
        }

        PolicyLoad times(double factor) {
            return new PolicyLoad(sharing, Math.max(1, Math.round(limit * factor)), demand, arrival);
        }
    }

    /** Distribution of the checks of a limit over each of its windows. */
    public enum Arrival {
        /** Constant rate on one key, which every region has used before a window is exhausted. */
        EVEN,
        /** The first region alone uses the limit up; after a pause all others send. Each window has its own key, which those others have never used. */
        FIRST_REGION,
        /** All checks at once in all regions, soon after the begin of the window. Each window has its own key. */
        BURST;

        static Arrival of(String word) {
            return valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
        }

        String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }
}
