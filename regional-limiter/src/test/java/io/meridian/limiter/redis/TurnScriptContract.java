package io.meridian.limiter.redis;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.limiter.TestKeys;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.stack.servers.RedisServer.RedisRelease;
import io.meridian.testkit.TestAmounts;
import io.meridian.testkit.TestSeeds;
import io.meridian.testkit.servers.TestRedis;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Contract of the script on every release of Redis: it decides as {@link io.meridian.model.counter.RegionalCounter}. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class TurnScriptContract {
    private static final int HISTORIES = TestAmounts.of(10, 60);
    /** In which every altered script shows; fewer miss some of them. */
    private static final int KNOWN_HISTORIES = 60;

    private static final int STEPS = 60;

    private final TestRedis server;
    private final RedisTalk redis;

    TurnScriptContract(RedisRelease release) {
        this.server = TestRedis.start(release);
        this.redis = RedisTalk.to(server.url());
    }

    RedisTalk redis() {
        return redis;
    }

    @AfterAll
    void close() {
        redis.close();
        server.close();
    }

    @ParameterizedTest
    @EnumSource
    void it_answers_like_the_pure_algorithm(Algorithm algorithm) {
        TestSeeds.forEachHistory(
                HISTORIES, play(CounterScript.load(TestKeys.KEYS).text(), algorithm));
    }

    @ParameterizedTest
    @EnumSource(names = "SLIDING_WINDOW_LOG")
    void so_it_does_when_every_log_is_a_list_to_be_searched(Algorithm algorithm) {
        String text = altered("LOG_STRING_MAX = 32", "LOG_STRING_MAX = 2");
        TestSeeds.forEachHistory(HISTORIES, play(text.replace("CHUNK = 32", "CHUNK = 1"), algorithm));
    }

    /** Takes away what one line of the script is there for. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "FIXED_WINDOW            | if counted < start                        | if counted <= start",
                "FIXED_WINDOW            | start + 31 * DAY                          | start + 30 * DAY",
                "SLIDING_WINDOW_ESTIMATE | left % -window                            | left % window",
                "SLIDING_WINDOW_COUNTER  | if newest > stamp then                    | if false then",
                "SLIDING_WINDOW_COUNTER  | seen % length + length                    | seen % length",
                "SLIDING_WINDOW_LOG      | local expired = seen - window             | local expired = seen - window - 1",
                "TOKEN_BUCKET            | if drained >= units                       | if drained > units",
                "TOKEN_BUCKET            | if from ~= perToken                       | if false",
                "TOKEN_BUCKET            | (rest > 0 and 1 or 0)                     | 0",
                "GCRA                    | local debt = deposit > units and deposit  | local debt = false and deposit",
                "LEAKY_BUCKET            | algorithm == LEAKY_BUCKET                 | algorithm == TOKEN_BUCKET",
                "GCRA                    | if units <= request.perTick and at < now then at = now end | ",
                "FIXED_WINDOW            | byte(args) == 1 and {}                    | false",
                "TOKEN_BUCKET            | refused and kind <= TAKE_AHEAD            | false",
            })
    void an_altered_script_is_found_out(Algorithm algorithm, String from, String to) {
        String text = altered(from, to == null ? "" : to);

        assertThatThrownBy(() -> TestSeeds.forEachKnownHistory(KNOWN_HISTORIES, play(text, algorithm)))
                .isInstanceOf(AssertionError.class);
    }

    private Consumer<SplittableRandom> play(String text, Algorithm algorithm) {
        redis.ask(Request.cmd(Command.FLUSHALL));
        SetTime script = new SetTime(text, redis);
        return random -> {
            World world = new World(random, script, algorithm);
            for (int i = 0; i < STEPS; i++) {
                world.step();
            }
        };
    }

    private static String altered(String from, String to) {
        String text = CounterScript.load(TestKeys.KEYS).text();
        String said = ScriptConstants.expand(from);
        if (!text.contains(said)) {
            throw new IllegalArgumentException("the script does not say " + said);
        }
        return text.replace(said, ScriptConstants.expand(to));
    }
}
