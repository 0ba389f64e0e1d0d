package io.meridian.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.stack.fixture.KafkaResource;
import io.meridian.stack.fixture.PostgresResource;
import io.meridian.stack.fixture.RedisResource;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.Driver;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.eclipse.microprofile.config.Config;
import org.junit.jupiter.api.Test;

/** The servers that a Quarkus test asks for are there, under the settings that a service reads. */
@QuarkusTest
@WithTestResource(PostgresResource.class)
@WithTestResource(RedisResource.class)
@WithTestResource(KafkaResource.class)
class TestServersTest {
    private static final int MILLIS_MAX = 30_000;

    @Inject
    Config config;

    @Test
    void postgres_answers_a_query() throws Exception {
        Properties login = new Properties();
        login.setProperty("user", setting("quarkus.datasource.username"));
        login.setProperty("password", setting("quarkus.datasource.password"));
        // By name: compiling against the driver asks for annotations that are not on this classpath.
        Driver driver = Class.forName("org.postgresql.Driver")
                .asSubclass(Driver.class)
                .getConstructor()
                .newInstance();

        try (Connection connection = driver.connect(setting("quarkus.datasource.jdbc.url"), login)) {
            assertThat(connection.isValid(MILLIS_MAX / 1_000)).isTrue();
        }
    }

    @Test
    void redis_answers_a_ping() throws Exception {
        URI address = URI.create(setting("meridian.limiter.redis.hosts"));
        try (Socket socket = new Socket(address.getHost(), address.getPort())) {
            socket.setSoTimeout(MILLIS_MAX);
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));

            assertThat(new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                            .readLine())
                    .isEqualTo("+PONG");
        }
    }

    @Test
    void kafka_names_its_broker() throws Exception {
        try (Admin admin = Admin.create(Map.of(
                "bootstrap.servers",
                setting("kafka.bootstrap.servers"),
                "default.api.timeout.ms",
                MILLIS_MAX,
                "request.timeout.ms",
                MILLIS_MAX))) {
            assertThat(admin.describeCluster().nodes().get()).hasSize(1);
        }
    }

    private String setting(String name) {
        return config.getValue(name, String.class);
    }
}
