package io.meridian.chaos.global;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.meridian.model.algorithm.Window;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionLife;
import io.meridian.model.usage.UsageCount;
import io.meridian.model.usage.WindowRule;
import io.meridian.model.wire.UsageCodec;
import io.meridian.model.wire.UsageRecord;
import io.meridian.stack.fixture.Eventually;
import io.meridian.stack.run.PartState.Condition;
import io.meridian.stack.topology.PartNames;
import io.meridian.stack.topology.Regions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The harness against what needs no global limits: were it wrong, every other figure would be. */
record HarnessScenario(Stage stage) {
    private static final String REGION = "ap-south";
    private static final long LIMIT = 100;
    private static final double RATE_OFF_MAX_PERCENT = 3;

    /** Regional limits are exact, so every region must be counted to the unit; and the load must be as large as it says. */
    void countsToTheUnit() throws Exception {
        Scale perRegion = stage.scale().dividedBy(Regions.ALL.size());
        Subject subject = stage.world().policies().regional("harness", perRegion);
        try (OpenLoop load =
                stage.world().load(subject, Stage.even(stage.scale().demandPerSecond()))) {
            long window = stage.firstFullWindow();
            stage.windows().awaitEnd(window);
            Count count = load.stop();

            Stage.assertNoneFailed(subject, count);
            Admitted admitted = count.window(window);
            Stage.tell("harness: asked %d of %d"
                    .formatted(admitted.asked(), 2 * stage.scale().limit()));
            Stage.assertExactInEveryRegion(perRegion.limit(), admitted);
            double demand = 2.0 * stage.scale().limit();
            assertThat((double) admitted.asked()).isCloseTo(demand, within(demand * RATE_OFF_MAX_PERCENT / 100));
            assertThat(count.allowed() + count.denied()).isEqualTo(load.sent());
        }
    }

    void cutsAndHeals() throws Exception {
        Links links = stage.world().links();
        links.cut(REGION);
        links.cutCentre();
        assertThat(links.isCut(REGION)).isTrue();
        assertThat(links.isCut(Regions.CENTRE)).isTrue();
        assertThat(links.isCut("us-east")).isFalse();

        links.heal();

        assertThat(links.isCut(REGION)).isFalse();
        assertThat(links.isCut(Regions.CENTRE)).isFalse();
    }

    void freezesKillsAndMends() throws Exception {
        Parts parts = stage.world().parts();
        String replica = PartNames.SYNC_REPLICAS.get(0);
        Path command = Path.of("/proc", Long.toString(parts.process(replica).pid()), "cmdline");
        if (Files.exists(command)) {
            assertThat(Files.readString(command, StandardCharsets.ISO_8859_1)).contains("/java\0", "quarkus-run.jar");
        }

        parts.freeze(replica);
        assertThat(parts.of(replica).condition()).isEqualTo(Condition.DEGRADED);
        stage.world().mend();
        Eventually.holds("it answers again", () -> parts.of(replica).condition() == Condition.READY);

        parts.kill(replica);
        assertThat(parts.isAlive(replica)).isFalse();
        stage.world().mend();
        assertThat(parts.isAlive(replica)).isTrue();
        Http.ask(Http.to(parts.of(replica).address() + "/q/health/ready").GET());
        assertThatThrownBy(() -> parts.of("nothing")).hasMessageContaining("nothing");
    }

    void wipesARedis() throws Exception {
        // A window that does not end by itself meanwhile, once in a month of runs.
        Scale scale = new Scale(Window.Span.ofSeconds(TimeUnit.DAYS.toSeconds(1)), LIMIT);
        Subject subject = stage.world().policies().regional("harness-wiped", scale);
        CheckClient checks = stage.world().checks();
        checks.ask(REGION, subject).get();
        assertThat(checks.remaining(REGION, subject)).isEqualTo(LIMIT - 1);

        stage.world().parts().wipeRedis(REGION);

        Eventually.holds("nothing is used", () -> checks.remaining(REGION, subject) == LIMIT);
    }

    /** Usage as a region would tell it, of a region that there is not. */
    void readsUsage() throws Exception {
        Subject subject = new Subject("harness-usage", "42");
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

        assertThat(stage.world().usage().of(subject, windows, window).total()).isEqualTo(7);
        assertThat(stage.world()
                        .usage()
                        .of(subject, windows, windows.next(window))
                        .total())
                .isZero();
    }
}
