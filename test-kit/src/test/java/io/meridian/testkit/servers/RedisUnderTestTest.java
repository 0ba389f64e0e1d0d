package io.meridian.testkit.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.model.time.TimeSource;
import io.meridian.stack.servers.RedisLine;
import io.meridian.stack.servers.Server.Durability;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every fault of the kit is one: what it is meant to break breaks, and is whole again after. */
@Timeout(600)
class RedisUnderTestTest {
    private static final Duration SOON = Duration.ofMillis(300);
    private static final Duration IN_TIME = Duration.ofMinutes(2);

    private final RedisUnderTest redis = RedisUnderTest.start(Durability.KEPT);

    @AfterEach
    void close() {
        redis.close();
    }

    @Test
    void a_frozen_server_takes_connections_and_answers_when_it_is_thawed() throws Exception {
        try (RedisLine before = linked(IN_TIME)) {
            assertThat(before.ask("PING")).isEqualTo("+PONG");
            redis.freeze();
            try (RedisLine line = linked(SOON)) {
                assertThatThrownBy(() -> line.ask("PING")).isInstanceOf(SocketTimeoutException.class);
            }
            redis.thaw();
            assertThat(before.ask("PING")).isEqualTo("+PONG");
        }
    }

    @Test
    void a_killed_server_ends_its_connections_and_comes_back_at_the_same_address_with_what_it_kept() throws Exception {
        redis.ask("SET", "k", "v");
        redis.ask("WAIT", "0", "0");
        try (RedisLine line = linked(IN_TIME)) {
            assertThat(line.ask("PING")).isEqualTo("+PONG");
            redis.kill();
            assertThatThrownBy(() -> line.ask("PING")).isInstanceOf(IOException.class);
        }
        assertThatThrownBy(redis::line).isInstanceOf(ConnectException.class);

        redis.restart();

        assertThat(askLinked("GET", "k")).isEqualTo("v");
    }

    @Test
    void a_wiped_server_and_one_restarted_empty_have_nothing() throws Exception {
        redis.ask("SET", "k", "v");
        redis.wipe();
        assertThat(askLinked("GET", "k")).isEqualTo(RedisLine.NIL);

        redis.ask("SET", "k", "v");
        redis.restartEmpty();
        assertThat(askLinked("GET", "k")).isEqualTo(RedisLine.NIL);
    }

    @Test
    void a_frozen_server_can_be_killed_and_restarted() throws Exception {
        redis.freeze();
        redis.restart();

        assertThat(askLinked("PING")).isEqualTo("+PONG");
    }

    @Test
    void flushed_scripts_are_not_known() {
        String digest = redis.ask("SCRIPT", "LOAD", "return 7");
        assertThat(redis.ask("EVALSHA", digest, "0")).isEqualTo(":7");

        redis.flushScripts();

        assertThat(redis.ask("EVALSHA", digest, "0")).startsWith("-NOSCRIPT");
    }

    @Test
    void a_read_only_server_refuses_writes_also_of_scripts_and_keeps_its_data() {
        redis.ask("SET", "k", "v");
        redis.makeReadOnly();
        assertThat(redis.ask("SET", "k", "w")).startsWith("-READONLY");
        assertThat(redis.ask("EVAL", "return redis.call('SET', KEYS[1], 'w')", "1", "k"))
                .contains("READONLY");
        assertThat(redis.ask("GET", "k")).isEqualTo("v");

        redis.makeWritable();

        assertThat(redis.ask("SET", "k", "w")).isEqualTo("+OK");
    }

    @Test
    void a_cut_link_refuses_and_ends_and_a_silent_one_says_nothing() throws Exception {
        try (RedisLine line = linked(IN_TIME)) {
            assertThat(line.ask("PING")).isEqualTo("+PONG");
            redis.link().cut();
            assertThatThrownBy(() -> line.ask("PING")).isInstanceOf(IOException.class);
        }
        assertThatThrownBy(() -> linked(IN_TIME)).isInstanceOf(ConnectException.class);
        redis.link().heal();
        assertThat(askLinked("PING")).isEqualTo("+PONG");

        redis.link().silence();
        try (RedisLine line = linked(SOON)) {
            assertThatThrownBy(() -> line.ask("PING")).isInstanceOf(SocketTimeoutException.class);
        }
        assertThat(redis.ask("PING")).as("past the link").isEqualTo("+PONG");
        redis.link().heal();
        assertThat(askLinked("PING")).isEqualTo("+PONG");
    }

    @Test
    void a_slow_link_answers_late_and_only_late() throws Exception {
        TimeSource time = TimeSource.system();
        redis.link().slow(SOON);
        long askedNanos = time.monotonicNanos();

        assertThat(askLinked("PING")).isEqualTo("+PONG");

        assertThat(time.monotonicNanos() - askedNanos).isGreaterThanOrEqualTo(SOON.toNanos());
        redis.link().heal();
    }

    private RedisLine linked(Duration answerWithin) throws IOException {
        return new RedisLine(redis.link().port(), answerWithin);
    }

    private String askLinked(String... command) throws IOException {
        try (RedisLine line = linked(IN_TIME)) {
            return line.ask(command);
        }
    }
}
