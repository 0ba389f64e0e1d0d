package io.meridian.chaos.global;

import io.meridian.stack.topology.PartNames;
import java.time.Duration;

/** Nobody hears of anybody for a while: checks go on, and what they used is told afterwards. */
record KafkaScenario(Stage stage) {
    void stopped() throws Exception {
        World world = stage.world();
        Scale scale = stage.scale().dividedBy(2);
        Subject escrow = world.policies().escrow("kafka-escrow", scale);
        Subject converge = world.policies().converge("kafka-converge", scale);
        try (OpenLoop escrowLoad = world.load(escrow, Stage.even(scale.demandPerSecond()));
                OpenLoop convergeLoad = world.load(converge, Stage.even(scale.demandPerSecond()))) {
            stage.windows().awaitEnd(stage.windows().openEndMicros());
            freeze(Scale.kafkaStop());
            stage.windows().awaitEnd(stage.windows().openEndMicros());

            Count escrowCount = escrowLoad.stop();
            Count convergeCount = convergeLoad.stop();
            Stage.assertNoneFailed(escrow, escrowCount);
            Stage.assertNoneFailed(converge, convergeCount);
            Stage.assertNeverAbove(scale.limit(), escrow, escrowCount);
            stage.awaitTotals(escrow, escrowCount);
            stage.awaitTotals(converge, convergeCount);
            Stage.tell("Kafka stopped for %s: all of %d and %d arrived"
                    .formatted(Scale.kafkaStop(), escrowCount.allowed(), convergeCount.allowed()));
        }
    }

    private void freeze(Duration duration) throws Exception {
        Parts parts = stage.world().parts();
        parts.freeze(PartNames.KAFKA);
        try {
            Stage.awaitPassed(duration);
        } finally {
            parts.thaw(PartNames.KAFKA);
        }
    }
}
