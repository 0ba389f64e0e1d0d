package io.meridian.stack.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.stack.process.Loopback;
import io.meridian.stack.process.StartFailure;
import io.meridian.stack.servers.RedisServer.RedisSettings;
import io.meridian.stack.servers.Server.Durability;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class RedisServerTest {
    private static final int DEADLINE_MILLIS = 120_000;

    private final Path folder;

    RedisServerTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void kept_data_survives_a_restart() throws Exception {
        RedisSettings settings = settings(Durability.KEPT);
        try (RedisServer first = RedisServer.start(settings)) {
            assertThat(ask(first, "SET k v")).isEqualTo("+OK");
        }
        try (RedisServer second = RedisServer.start(settings)) {
            assertThat(ask(second, "STRLEN k")).isEqualTo(":1");
        }
    }

    @Test
    void throwaway_data_is_gone_after_a_restart() throws Exception {
        RedisSettings settings = settings(Durability.THROWAWAY);
        try (RedisServer first = RedisServer.start(settings)) {
            assertThat(ask(first, "SET k v")).isEqualTo("+OK");
        }
        try (RedisServer second = RedisServer.start(settings)) {
            assertThat(ask(second, "STRLEN k")).isEqualTo(":0");
        }
    }

    @Test
    void a_start_that_fails_quotes_the_log() throws Exception {
        RedisSettings settings = settings(Durability.THROWAWAY);
        try (ServerSocket taken = new ServerSocket()) {
            taken.bind(Loopback.at(settings.port()));

            assertThatThrownBy(() -> RedisServer.start(settings))
                    .isInstanceOf(StartFailure.class)
                    .hasMessageContaining("redis-test ended with code 1")
                    .hasMessageContaining("in use");
        }
    }

    private RedisSettings settings(Durability durability) {
        return new RedisSettings(
                "redis-test", folder.resolve("a folder"), folder.resolve("redis.log"), Loopback.freePort(), durability);
    }

    private static String ask(RedisServer server, String command) throws Exception {
        try (Socket socket = new Socket()) {
            socket.connect(Loopback.at(server.port()), DEADLINE_MILLIS);
            socket.setSoTimeout(DEADLINE_MILLIS);
            socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
        }
    }
}
