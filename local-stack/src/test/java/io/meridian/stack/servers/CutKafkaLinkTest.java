package io.meridian.stack.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.stack.faults.FaultProxies;
import io.meridian.stack.faults.FaultProxy;
import io.meridian.stack.faults.Toxic;
import io.meridian.stack.faults.Toxic.Direction;
import io.meridian.stack.faults.ToxicEffect;
import io.meridian.stack.servers.KafkaServer.BrokerSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a drill does to a real broker: one place is cut off in every way there is, the other notices nothing. */
@Timeout(600)
class CutKafkaLinkTest {
    private static final int REACHED_WITHIN_MILLIS = 120_000;
    /** A link that is cut is silent for ever, so any time is long enough to find it silent. */
    private static final int CUT_OFF_MILLIS = 700;

    private final Path folder;

    CutKafkaLinkTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void one_region_is_cut_and_healed_and_the_centre_notices_nothing() throws Exception {
        try (FaultProxies proxies = FaultProxies.start(0)) {
            BrokerSettings settings = ProxiedKafka.settings(folder, proxies, "centre", "us-east");
            try (KafkaServer server = KafkaServer.start(settings)) {
                FaultProxy link = proxies.find("kafka-us-east").orElseThrow();
                List<Runnable> cuts = List.of(
                        link::disable,
                        () -> link.add(Toxic.everywhere(Direction.UPSTREAM, new ToxicEffect.Timeout(0))),
                        () -> link.add(Toxic.everywhere(Direction.DOWNSTREAM, new ToxicEffect.Timeout(0))));
                for (Runnable cut : cuts) {
                    cut.run();
                    assertCutOff(server, "us-east");
                    assertReached(server, "centre");
                    proxies.reset();
                    assertReached(server, "us-east");
                }
                link.add(Toxic.everywhere(Direction.DOWNSTREAM, new ToxicEffect.Latency(50, 10)));
                assertReached(server, "us-east");
            }
        }
    }

    private static void assertReached(KafkaServer server, String place) throws Exception {
        try (Admin admin = ProxiedKafka.admin(server.bootstrapServers(place), REACHED_WITHIN_MILLIS)) {
            assertThat(admin.describeCluster().nodes().get()).hasSize(1);
        }
    }

    private static void assertCutOff(KafkaServer server, String place) {
        try (Admin admin = ProxiedKafka.admin(server.bootstrapServers(place), CUT_OFF_MILLIS)) {
            assertThatThrownBy(() -> admin.describeCluster().nodes().get())
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(TimeoutException.class);
        }
    }
}
