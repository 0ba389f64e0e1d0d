package io.meridian.chaos.global;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.chaos.drill.history.Subject;
import io.meridian.chaos.drill.world.Policies.Loop;
import io.meridian.model.time.TimeSource;
import io.meridian.stack.fixture.Eventually;
import io.meridian.stack.topology.Regions;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A converging limit while all is well. */
record ConvergeScenario(Stage stage) {
    private static final double UNDER_MIN = 0.99;
    /** What the overshoot is wanted to stay below, beside the bound. */
    private static final double WANTED_PERCENT = 1;

    void overshoot() throws Exception {
        Scale scale = stage.scale();
        Windows windows = stage.windows();
        Subject subject = stage.world().policies().converge("converge-even", scale);
        try (OpenLoop load = stage.world().load(subject, Stage.even(scale.demandPerSecond()))) {
            List<Long> full = new ArrayList<>(List.of(stage.firstFullWindow()));
            while (full.size() < Scale.windows()) {
                full.add(windows.next(full.get(full.size() - 1)));
            }
            long last = full.get(full.size() - 1);
            windows.awaitEnd(last);
            double loopMillis = stage.world().policies().loopDelayMillis(Loop::p99Millis);
            double slowestMillis = stage.world().policies().loopDelayMillis(Loop::maxMillis);
            awaitAnswersIn(load.count(), windows.next(last));
            Count count = load.stop();

            Stage.assertNoneFailed(subject, count);
            List<Long> delays = new ArrayList<>();
            for (long window : full) {
                tellWindow(count.window(window), loopMillis, delays);
            }
            Stage.tell("converge: flag delay of all regions %s".formatted(new Delays(delays)));
            for (long window : full) {
                // Whatever the machine makes of the delay: what follows from it is promised.
                assertThat((double) count.window(window).total())
                        .isBetween(UNDER_MIN * scale.limit(), scale.limit() + excess(slowestMillis));
                assertEveryRegionBegins(count.window(windows.next(window)));
            }
        }
    }

    private void tellWindow(Admitted admitted, double loopMillis, List<Long> delays) {
        long limit = stage.scale().limit();
        long over = Math.max(0, admitted.total() - limit);
        double excess = excess(loopMillis);
        Stage.tell(
                "converge: admitted %d of %d, over by %d (%.2f %%, wanted <= %.0f %%); stated: rate x %.0f ms = %.0f, %s"
                        .formatted(
                                admitted.total(),
                                limit,
                                over,
                                100.0 * over / limit,
                                WANTED_PERCENT,
                                loopMillis,
                                excess,
                                over <= excess ? "kept" : "NOT KEPT"));
        for (String region : Regions.ALL) {
            admitted.flagDelayNanos(region, limit).ifPresent(delays::add);
        }
    }

    /** What all regions ask for in one loop. */
    private double excess(double loopMillis) {
        return stage.scale().demandPerSecond() * loopMillis / TimeUnit.SECONDS.toMillis(1);
    }

    private static void awaitAnswersIn(Count count, long window) throws Exception {
        Eventually.holds("every region was asked in the new window", () -> Regions.ALL.stream()
                .allMatch(region -> count.window(window).first(region).isPresent()));
    }

    private static void assertEveryRegionBegins(Admitted admitted) {
        for (String region : Regions.ALL) {
            assertThat(admitted.first(region))
                    .as("the first check of %s in a new window", region)
                    .hasValueSatisfying(first -> assertThat(first.allowed()).isTrue());
        }
    }

    /** Twice the limit, once it has blocked every region: they admit again while the same window lasts. */
    void raised() throws Exception {
        Scale scale = stage.scale();
        Subject subject = stage.world().policies().converge("converge-raised", scale);
        try (OpenLoop load = stage.world().load(subject, Stage.even(scale.demandPerSecond()))) {
            long window = stage.firstFullWindow();
            awaitAll("is blocked", load.count(), false, window, Long.MIN_VALUE);
            TimeSource time = TimeSource.system();
            long raisedNanos = time.monotonicNanos();
            stage.world().policies().changeLimit(subject, 2 * scale.limit());
            awaitAll("admits again", load.count(), true, window, raisedNanos);
            Stage.tell("converge: raised, every region admits after %d ms"
                    .formatted(TimeUnit.NANOSECONDS.toMillis(time.monotonicNanos() - raisedNanos)));
            Stage.assertNoneFailed(subject, load.stop());
        }
    }

    /** Only decisions about the window count, so the next one cannot be taken for it. */
    private void awaitAll(String what, Count count, boolean allowed, long window, long sinceNanos) throws Exception {
        Duration within = Duration.of(2 * stage.scale().window().micros(), ChronoUnit.MICROS)
                .plusSeconds(5);
        for (String region : Regions.ALL) {
            Eventually.holds(
                    region + " " + what + " in its window",
                    within,
                    () -> count.has(region, allowed, window, sinceNanos));
        }
    }
}
