package io.meridian.testkit.servers;

import static io.meridian.testkit.Await.eventually;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.meridian.testkit.servers.TestServers.TestServer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.Driver;

/** What a test may expect of its servers, wherever they come from. */
@Timeout(180)
abstract class ServersContract {
    abstract TestServers servers();

    @Test
    void postgres_answers_under_the_settings_it_gives_and_is_gone_after() throws Exception {
        TestServer postgres = servers().postgres();
        try (postgres) {
            assertThat(version(postgres.config())).startsWith("17.");
            assertThat(setting(postgres.config(), "quarkus.datasource.reactive.url"))
                    .startsWith("postgresql://");
        }
        assertGone(setting(postgres.config(), "quarkus.datasource.reactive.url"));
    }

    @Test
    void redis_answers_under_the_settings_it_gives_and_is_gone_after() throws Exception {
        TestServer redis = servers().redis();
        try (redis) {
            assertThat(ping(setting(redis.config(), "meridian.limiter.redis.hosts")))
                    .isEqualTo("+PONG");
        }
        assertGone(setting(redis.config(), "meridian.limiter.redis.hosts"));
    }

    @Test
    void kafka_answers_under_the_settings_it_gives_and_is_gone_after() throws Exception {
        TestServer kafka = servers().kafka();
        String address = setting(kafka.config(), "kafka.bootstrap.servers");
        try (kafka;
                Admin admin = Admin.create(Map.of("bootstrap.servers", address))) {
            admin.createTopics(List.of(new NewTopic("t", 3, (short) 1))).all().get();
            // The controller confirms a topic before the broker has heard of it.
            eventually("the topic is listed")
                    .until(() -> admin.listTopics().names().get().contains("t"));
        }
        assertGone("kafka://" + address.replace("PLAINTEXT://", ""));
    }

    private static String setting(Map<String, String> config, String key) {
        return requireNonNull(config.get(key), key);
    }

    private static String version(Map<String, String> config) throws Exception {
        Properties login = new Properties();
        login.setProperty("user", setting(config, "quarkus.datasource.username"));
        login.setProperty("password", setting(config, "quarkus.datasource.password"));
        try (Connection connection = new Driver().connect(setting(config, "quarkus.datasource.jdbc.url"), login);
                ResultSet version = connection.createStatement().executeQuery("show server_version")) {
            version.next();
            return version.getString(1);
        }
    }

    private static String ping(String url) throws Exception {
        try (Socket socket = connect(url)) {
            socket.setSoTimeout(2_000);
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
        }
    }

    private static void assertGone(String url) {
        assertThat(catchThrowable(() -> connect(url).close()))
                .as("connecting to %s after its end", url)
                .isNotNull();
    }

    private static Socket connect(String url) throws Exception {
        URI address = URI.create(url);
        return new Socket(address.getHost(), address.getPort());
    }
}
