package io.meridian.chaos.global;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.model.time.TimeSource;
import io.meridian.stack.fixture.Eventually;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A region's Redis loses everything amid a window; the log knows what the region had used. */
record WipeScenario(Stage stage) {
    private static final String REGION = "ap-northeast";
    private static final double SHARE_BEFORE = 0.25;
    private static final double REPORT_SECONDS = 0.1;
    private static final double SLACK = 1.2;
    /** Within the window, at the default scale. */
    private static final Duration TOLD_WITHIN = Duration.ofSeconds(10);

    void wiped() throws Exception {
        World world = stage.world();
        Scale scale = stage.scale().dividedBy(2);
        Subject escrow = world.policies().escrow("wiped-escrow", scale);
        Subject converge = world.policies().converge("wiped-converge", scale);
        try (OpenLoop escrowLoad = world.load(escrow, Stage.even(scale.demandPerSecond()));
                OpenLoop convergeLoad = world.load(converge, Stage.even(scale.demandPerSecond()))) {
            long window = stage.firstFullWindow();
            stage.windows().awaitShare(window, SHARE_BEFORE);
            long usedBefore = convergeLoad.count().window(window).of(REGION);
            world.parts().wipeRedis(REGION);
            awaitTold(converge, scale.limit(), convergeLoad.count(), window, usedBefore);
            stage.windows().awaitEnd(window);

            Count escrowCount = escrowLoad.stop();
            Count convergeCount = convergeLoad.stop();
            Stage.assertNoneFailed(escrow, escrowCount);
            Stage.assertNoneFailed(converge, convergeCount);
            Stage.assertNeverAbove(scale.limit(), escrow, escrowCount);
            assertLittleLost(converge, convergeCount, window, scale);
            assertLittleLost(escrow, escrowCount, window, scale);
        }
    }

    /**
     * The region counts on from what the world knows: it sees no more left than there is. Had it only forgotten what it used
     * itself, that much more would seem to be left; half of it is allowed for what is on its way.
     */
    private void awaitTold(Subject subject, long limit, Count count, long window, long usedBefore) throws Exception {
        TimeSource time = TimeSource.system();
        long wipedNanos = time.monotonicNanos();
        Eventually.holds(REGION + " knows what it had used", TOLD_WITHIN, () -> {
            long left = limit - count.window(window).total();
            return stage.world().checks().remaining(REGION, subject) <= Math.max(0, left) + usedBefore / 2;
        });
        Stage.tell("wiped: %s had used %d and knew it again after %d ms (wanted 2000)"
                .formatted(REGION, usedBefore, TimeUnit.NANOSECONDS.toMillis(time.monotonicNanos() - wipedNanos)));
        assertThat(stage.windows().openEndMicros())
                .as("the window it was told of")
                .isEqualTo(window);
    }

    /** Only what the region had not reported yet is lost: what came in one interval. */
    private void assertLittleLost(Subject subject, Count count, long window, Scale scale) throws Exception {
        long admitted = count.window(window).total();
        double lostMax = Math.ceil(
                SLACK * REPORT_SECONDS * Stage.even(scale.demandPerSecond()).getOrDefault(REGION, 0.0));
        Eventually.holds(
                "usage of %s is %d but for %.0f".formatted(subject.policy(), admitted, lostMax),
                () -> Math.abs(admitted - told(subject, window)) <= lostMax);
        Stage.tell("wiped: %s admitted %d, told of %d, lost %d (at most %.0f)"
                .formatted(
                        subject.policy(), admitted, told(subject, window), admitted - told(subject, window), lostMax));
    }

    private long told(Subject subject, long window) {
        return stage.world().usage().of(subject, stage.windows(), window).total();
    }
}
