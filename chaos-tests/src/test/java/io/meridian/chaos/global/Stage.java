package io.meridian.chaos.global;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.chaos.drill.history.Subject;
import io.meridian.stack.fixture.Eventually;
import io.meridian.stack.topology.Regions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What every scenario plays on: a world, how large it is, and the words for its load. */
record Stage(World world, Scale scale) {
    private static final int WARM_ANSWERS = 4_000;
    private static final long WARM_LIMIT = 1_000_000;
    private static final Duration WARM_WITHIN = Duration.ofMinutes(2);

    Windows windows() {
        return new Windows(scale.window());
    }

    /** The first window that the load, begun by now, sees from its start to its end. */
    long firstFullWindow() {
        return windows().next(windows().openEndMicros());
    }

    /** Loads the limiters until they answer in their time: freshly started, they compile and fall back for a while. */
    void warmUp() throws Exception {
        Subject subject = world.policies().converge("warm-up", new Scale(scale.window(), WARM_LIMIT));
        try (OpenLoop load = world.load(subject, even(scale.demandPerSecond()))) {
            Eventually.holds(
                    "the limiters are warm", WARM_WITHIN, () -> load.count().isSteady(WARM_ANSWERS));
            tell("warm-up: %s".formatted(load.stop()));
        }
    }

    /** The same rate in every region, so much in all. */
    static Map<String, Double> even(double perSecond) {
        return skewed("", perSecond / Regions.ALL.size(), perSecond / Regions.ALL.size());
    }

    /** One rate in one region and another in each of the others. */
    static Map<String, Double> skewed(String hot, double hotPerSecond, double otherPerSecond) {
        Map<String, Double> rates = new LinkedHashMap<>();
        Regions.ALL.forEach(region -> rates.put(region, region.equals(hot) ? hotPerSecond : otherPerSecond));
        return rates;
    }

    /** Says one figure. */
    static void tell(String figure) {
        System.out.println("[global] " + figure);
    }

    static void assertNoneFailed(Subject subject, Count count) {
        tell("%s: %s".formatted(subject.policy(), count));
        assertThat(count.failures()).as("failed checks of %s", subject.policy()).isEmpty();
    }

    /** No window, whole or not, has more than the limit. */
    static void assertNeverAbove(long limit, Subject subject, Count count) {
        for (long window : count.windows()) {
            assertThat(count.window(window).total())
                    .as("admitted by %s in window %d, %s", subject.policy(), window, count)
                    .isLessThanOrEqualTo(limit);
        }
    }

    /** Every one of these regions admitted the limit, no more and no less. */
    static void assertExact(long limit, Admitted admitted, List<String> regions) {
        tell("regional: admitted %s of %d each, never without Redis: %s"
                .formatted(admitted.byRegion(), limit, regions));
        for (String region : regions) {
            assertThat(admitted.of(region)).as(region).isEqualTo(limit);
        }
    }
}
