package io.meridian.infra.image;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.infra.image.UnpackedImage.Running;
import io.meridian.stack.process.Loopback;
import io.meridian.stack.servers.PostgresServer;
import io.meridian.stack.servers.PostgresServer.PostgresSettings;
import io.meridian.stack.servers.Server.Durability;
import io.meridian.stack.servers.Topics;
import io.meridian.testkit.servers.KafkaUnderTest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The config service's image, unpacked, and its process started from there. */
@Tag("full")
@Timeout(300)
class ConfigImageIT {
    private static final String TOKEN = "7a".repeat(32);
    private static final String[] ADMIN = {"Authorization", "Bearer " + TOKEN};
    private static final String POLICY =
            "{\"id\": \"of-the-image\", \"key\": [\"user_id\"], \"algorithm\": \"fixed_window\", \"limit\": 2, \"window\": \"1d\"}";

    @Test
    void its_process_makes_its_schema_and_takes_and_publishes_a_change(@TempDir Path folder) throws Exception {
        int port = Loopback.freePort();
        String database = Loopback.HOST + ":" + port + "/" + PostgresServer.DATABASE;
        try (UnpackedImage image = UnpackedImage.of("config-service");
                KafkaUnderTest kafka = KafkaUnderTest.start();
                PostgresServer postgres = PostgresServer.start(new PostgresSettings(
                        folder.resolve("data"), folder.resolve("postgres.log"), port, Durability.THROWAWAY))) {
            assertThat(postgres.process().isAlive()).isTrue();
            Topics.ensure(kafka.directAddress());
            try (Running config = image.start(Map.of(
                    "KAFKA_BOOTSTRAP_SERVERS",
                    kafka.bootstrapServers(),
                    "QUARKUS_DATASOURCE_REACTIVE_URL",
                    "postgresql://" + database,
                    "QUARKUS_DATASOURCE_JDBC_URL",
                    "jdbc:postgresql://" + database,
                    "QUARKUS_DATASOURCE_USERNAME",
                    PostgresServer.USER,
                    "QUARKUS_DATASOURCE_PASSWORD",
                    PostgresServer.PASSWORD,
                    "MERIDIAN_CONFIG_ACCESS_ADMIN_TOKEN_FILE",
                    image.mounted("/etc/meridian/admin/token", TOKEN)))) {
                String admin = config.url() + "/admin/api/v1/";
                eventually("the first admin is known")
                        .until(() -> Http.get(admin + "revision", ADMIN).statusCode() == 200);
                HttpResponse<String> made = Http.post(admin + "policies", POLICY, ADMIN);
                assertThat(made.statusCode()).isEqualTo(201);
                eventually("the change is published")
                        .until(() ->
                                published(Http.get(config.url() + "/q/metrics").body()));
                config.tellsAboutItself();
            }
            assertThat(Files.readString(image.log())).doesNotContain(Lacking.SIGNS);
        }
    }

    private static boolean published(String metrics) {
        return metrics.lines()
                .anyMatch(line -> line.startsWith("meridian_config_outbox_published_total") && !line.endsWith(" 0.0"));
    }
}
