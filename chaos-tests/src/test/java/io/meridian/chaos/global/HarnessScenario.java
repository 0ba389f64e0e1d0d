package io.meridian.chaos.global;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.meridian.chaos.drill.history.Subject;
import io.meridian.chaos.drill.history.Subject.Sharing;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionLife;
import io.meridian.model.usage.UsageCount;
import io.meridian.model.usage.WindowRule;
import io.meridian.model.wire.UsageCodec;
import io.meridian.model.wire.UsageRecord;
import io.meridian.stack.topology.PartNames;
import io.meridian.stack.topology.Regions;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The harness against what needs no global limits: were it wrong, every other figure would be. */
record HarnessScenario(Stage stage) {
    private static final double RATE_OFF_MAX_PERCENT = 3;
    private static final int ROUNDS_MAX = 5;

    /**
     * Regional limits are exact, so every region that never had to do without its Redis must be counted to the unit; and the load must be as
     * large as it says. On a busy machine every region may have had to, so it is tried again.
     */
    void countsToTheUnit() throws Exception {
        for (int round = 1; !countsToTheUnit("harness-" + round); round++) {
            assertThat(round)
                    .as("rounds in which each region was without its Redis")
                    .isLessThan(ROUNDS_MAX);
        }
    }

    /** Whether there was a region to judge by. */
    private boolean countsToTheUnit(String id) throws Exception {
        Scale perRegion = stage.scale().dividedBy(Regions.ALL.size());
        Subject subject = stage.world().policies().regional(id, perRegion);
        try (OpenLoop load =
                stage.world().load(subject, Stage.even(stage.scale().demandPerSecond()))) {
            long window = stage.firstFullWindow();
            stage.windows().awaitEnd(window);
            Count count = load.stop();

            Stage.assertNoneFailed(subject, count);
            Admitted admitted = count.window(window);
            Stage.tell("harness: asked %d of %d"
                    .formatted(admitted.asked(), 2 * stage.scale().limit()));
            List<String> exact = Regions.ALL.stream()
                    .filter(region -> count.degraded(region) == 0)
                    .toList();
            Stage.assertExact(perRegion.limit(), admitted, exact);
            double demand = 2.0 * stage.scale().limit();
            assertThat((double) admitted.asked()).isCloseTo(demand, within(demand * RATE_OFF_MAX_PERCENT / 100));
            assertThat(count.allowed() + count.denied()).isEqualTo(load.sent());
            return !exact.isEmpty();
        }
    }

    /** Usage as a region would tell it, of a region that there is not. */
    void readsUsage() throws Exception {
        Subject subject = Policies.subject("harness-usage", stage.scale(), Sharing.CONVERGE);
        Windows windows = stage.windows();
        long window = windows.openEndMicros();
        LimitWindow limit = new LimitWindow(subject.policy(), subject.key(), windows.startMicros(window));
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        stage.world().parts().of(PartNames.KAFKA).target()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (long taken : new long[] {7, 9, 8}) {
                UsageRecord usage = new UsageRecord(
                        limit,
                        new RegionLife("nowhere", 1),
                        WindowRule.ofVersion(1),
                        new UsageCount(taken, 2),
                        0,
                        0,
                        0,
                        0);
                producer.send(new ProducerRecord<>("usage", UsageCodec.key(usage), UsageCodec.value(usage)))
                        .get();
            }
        }

        assertThat(stage.world().usage(subject, windows, window).total()).isEqualTo(7);
        assertThat(stage.world().usage(subject, windows, windows.next(window)).total())
                .isZero();
    }
}
