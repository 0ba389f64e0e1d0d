package io.meridian.chaos.global;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.model.time.TimeSource;
import io.meridian.stack.fixture.Eventually;
import java.util.concurrent.TimeUnit;

/** The leader of a granted limit dies, or is only believed to be dead, amid a window. */
record LeaderScenario(Stage stage) {
    private static final double SHARE_BEFORE = 0.2;

    /** A zombie wakes up with grants to commit, which are not its to give any more. */
    void frozen() throws Exception {
        World world = stage.world();
        Subject subject = world.policies().escrow("leader-frozen", stage.scale());
        try (OpenLoop load = world.load(subject, Stage.even(stage.scale().demandPerSecond()))) {
            long window = stage.firstFullWindow();
            stage.windows().awaitShare(window, SHARE_BEFORE);
            String leader = world.sync().leaderOf(subject);
            double refusedBefore = world.sync().refused(leader);
            long logged = world.sync().logBytes(leader);

            world.parts().freeze(leader);
            Stage.awaitPassed(Scale.leaderFreeze());
            assertThat(world.sync().leadsAll(Sync.other(leader))).isTrue();
            world.parts().thaw(leader);

            Eventually.holds(
                    leader + " was refused",
                    () -> world.sync().refused(leader) > refusedBefore
                            || world.sync().logSaysRefused(leader, logged));
            Stage.tell("leader frozen: refused %.0f times by its metric, its log says so: %s"
                    .formatted(
                            world.sync().refused(leader) - refusedBefore,
                            world.sync().logSaysRefused(leader, logged)));
            finish(subject, load, window);
        }
    }

    void killed() throws Exception {
        World world = stage.world();
        Subject subject = world.policies().escrow("leader-killed", stage.scale());
        try (OpenLoop load = world.load(subject, Stage.even(stage.scale().demandPerSecond()))) {
            long window = stage.firstFullWindow();
            stage.windows().awaitShare(window, SHARE_BEFORE);
            String leader = world.sync().leaderOf(subject);
            TimeSource time = TimeSource.system();

            long killedNanos = time.monotonicNanos();
            world.parts().kill(leader);
            Eventually.holds(
                    "the other replica leads everything", () -> world.sync().leadsAll(Sync.other(leader)));
            Stage.tell("leader killed: replaced after %d ms"
                    .formatted(TimeUnit.NANOSECONDS.toMillis(time.monotonicNanos() - killedNanos)));
            finish(subject, load, window);
        } finally {
            world.mend();
        }
    }

    private void finish(Subject subject, OpenLoop load, long window) throws Exception {
        stage.windows().awaitEnd(Math.max(window, stage.windows().openEndMicros()));
        Count count = load.stop();
        Stage.assertNoneFailed(subject, count);
        for (long each : count.windows()) {
            Stage.tell("%s: admitted %d of %d"
                    .formatted(
                            subject.policy(),
                            count.window(each).total(),
                            stage.scale().limit()));
        }
        Stage.assertNeverAbove(stage.scale().limit(), subject, count);
    }
}
