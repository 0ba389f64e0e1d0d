package io.meridian.infra.image;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.infra.image.UnpackedImage.Running;
import io.meridian.stack.servers.Topics;
import io.meridian.testkit.servers.KafkaUnderTest;
import io.meridian.testkit.services.LimiterSettings;
import java.nio.file.Files;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The sync service's image, unpacked, and its process started from there. */
@Tag("full")
@Timeout(300)
class SyncImageIT {
    @Test
    void its_process_leads_all_partitions() throws Exception {
        try (UnpackedImage image = UnpackedImage.of("sync-service");
                KafkaUnderTest kafka = KafkaUnderTest.start()) {
            Topics.ensure(kafka.directAddress());
            try (Running sync = image.start(Map.of(
                    "KAFKA_BOOTSTRAP_SERVERS",
                    kafka.bootstrapServers(),
                    "MERIDIAN_KEYS_SECRET",
                    LimiterSettings.KEY_SECRET,
                    "MERIDIAN_SYNC_REPLICA",
                    "of-the-image"))) {
                eventually("it leads").until(() -> Http.get(sync.url() + "/q/metrics")
                        .body()
                        .contains("meridian_sync_partitions_led 16.0"));
                assertThat(Http.get(sync.url() + "/api/v1/shards").body()).contains("of-the-image");
                sync.tellsAboutItself();
            }
            assertThat(Files.readString(image.log())).doesNotContain(Lacking.SIGNS);
        }
    }
}
