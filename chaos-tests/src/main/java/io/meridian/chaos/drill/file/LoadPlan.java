package io.meridian.chaos.drill.file;

import io.meridian.chaos.drill.history.Subject.Sharing;
import java.time.Duration;
import java.util.List;

/**
 * What a drill asks of the regions, and for how long: in whole windows.
 *
 * @param faultWindows at least; the fault lasts until the method is done
 */
public record LoadPlan(
        Duration window, List<PolicyPlan> policies, int controlWindows, int faultWindows, int recoveryWindows) {
    /** Of all policies in all regions; a drill is no load test. */
    static final double PER_SECOND_MAX = 2_000;

    /** Of all policies in all regions: they are under way together, while the rest of the load goes on. */
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
        if (policies.stream().map(PolicyPlan::sharing).distinct().count() < policies.size()) {
            throw new IllegalArgumentException("policies must differ in how regions share them, got "
                    + policies.stream().map(PolicyPlan::sharing).toList());
        }
        requireWindows("control", controlWindows);
        requireWindows("fault", faultWindows);
        requireWindows("recovery", recoveryWindows);
    }

    /** Refuses a load that is more than a drill may put on a world of so many regions. */
    public void requireBearable(int regions) {
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

    /** The same for windows of another length: the rates stay, so limits go with it. */
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
}
