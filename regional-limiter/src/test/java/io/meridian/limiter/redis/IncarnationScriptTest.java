package io.meridian.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.limiter.redis.RedisIncarnations.StoredIncarnation;
import io.meridian.model.counter.RegionModel;
import io.meridian.model.counter.RegionModel.Incarnation;
import io.meridian.model.counter.RegionModel.Server;
import io.meridian.stack.servers.RedisServer.RedisRelease;
import io.meridian.testkit.TestAmounts;
import io.meridian.testkit.TestSeeds;
import io.meridian.testkit.servers.TestRedis;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Contract of the script that names the incarnation: it begins one exactly where {@link RegionModel} does. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IncarnationScriptTest {
    private static final int HISTORIES = TestAmounts.of(30, 300);
    private static final int KNOWN_HISTORIES = 60;
    private static final int STEPS = 40;
    private static final String NAMES = "abc";

    private final TestRedis server = TestRedis.start(RedisRelease.BUNDLED);
    private final RedisTalk redis = RedisTalk.to(server.url());

    @AfterAll
    void close() {
        redis.close();
        server.close();
    }

    @Test
    void it_begins_an_incarnation_exactly_where_the_model_does() {
        TestSeeds.forEachHistory(HISTORIES, play(UnaryOperator.identity()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "string.sub(current, 10) == run         | true",
                "id == replication and                  | ",
                "tonumber(begunAt) <= tonumber(offset)  | true",
                "if number <= last then                 | if false then",
                "math.max(last, (struct.unpack          | math.min(last, (struct.unpack",
                "current and 'k' or WIPED               | WIPED",
            })
    void an_altered_script_is_found_out(String from, @Nullable String to) {
        String said = ScriptConstants.expand(from);
        assertThat(Script.load(List.of("incarnation")).text()).contains(said);

        assertThatThrownBy(() -> TestSeeds.forEachKnownHistory(
                        KNOWN_HISTORIES,
                        play(text -> text.replace(said, to == null ? "" : ScriptConstants.expand(to)))))
                .isInstanceOf(AssertionError.class);
    }

    private Consumer<SplittableRandom> play(UnaryOperator<String> altered) {
        Script script =
                Script.of(altered.apply(Script.load(List.of("incarnation")).text())
                        .replace("redis.call('INFO', section)", "redis.call('GET', 'info')")
                        .replace("redis.call('TIME')", "redis.call('MGET', 'seconds', 'micros')"));
        return random -> {
            redis.ask(Request.cmd(Command.FLUSHALL));
            History history = new History(random, script);
            for (int i = 0; i < STEPS; i++) {
                history.step();
            }
        };
    }

    /** A server that restarts, is wiped, becomes a replica's successor, and whose clock goes back. */
    private final class History {
        private final SplittableRandom random;
        private final Script script;
        private RegionModel model = new RegionModel();
        private RegionModel replica = new RegionModel();
        private @Nullable Response stored;
        private @Nullable Response origin;
        private long nowMicros;
        private char run = 'a';
        private char replication = 'a';
        private long offset = 100;
        private long known;

        History(SplittableRandom random, Script script) {
            this.random = random;
            this.script = script;
            this.nowMicros = Draw.startMicros(random);
        }

        void step() {
            nowMicros += random.nextInt(5) == 0 ? -random.nextLong(5_000_000) : random.nextLong(2_000_000);
            switch (random.nextInt(8)) {
                case 0 -> run = NAMES.charAt(random.nextInt(NAMES.length()));
                case 1 -> replication = NAMES.charAt(random.nextInt(NAMES.length()));
                case 2 -> offset = Math.max(0, offset + random.nextLong(-50, 100));
                case 3 -> replicate();
                case 4 -> promote();
                case 5 -> wipe();
                default -> identify();
            }
        }

        private void identify() {
            set("info", "run_id:%c\r\nmaster_replid:%c\r\nmaster_repl_offset:%d".formatted(run, replication, offset));
            set("seconds", Long.toString(nowMicros / 1_000_000));
            set("micros", Long.toString(nowMicros % 1_000_000));
            long last = random.nextBoolean() ? 0 : known;
            Incarnation expected = model.identify(new Server("" + run, "" + replication, offset), last, nowMicros);
            byte[] told = redis.ask(RedisIncarnations.request(script, last == 0 ? null : new StoredIncarnation(last)))
                    .toBytes();
            assertThat(new Incarnation(
                            StoredIncarnation.read(told).number(), told[Long.BYTES] == RedisIncarnations.WIPED))
                    .isEqualTo(expected);
            known = Math.max(known, expected.number());
        }

        private void replicate() {
            replica = model.copied();
            stored = get(StoredIncarnation.KEY);
            origin = get(StoredIncarnation.ORIGIN_KEY);
        }

        private void promote() {
            model = replica.copied();
            put(StoredIncarnation.KEY, stored);
            put(StoredIncarnation.ORIGIN_KEY, origin);
        }

        private void wipe() {
            model = new RegionModel();
            put(StoredIncarnation.KEY, null);
            put(StoredIncarnation.ORIGIN_KEY, null);
        }

        private @Nullable Response get(String key) {
            return redis.ask(Request.cmd(Command.GET).arg(key));
        }

        private void put(String key, @Nullable Response value) {
            redis.ask(
                    value == null
                            ? Request.cmd(Command.DEL).arg(key)
                            : Request.cmd(Command.SET).arg(key).arg(value.toBytes()));
        }

        private void set(String key, String value) {
            redis.ask(Request.cmd(Command.SET).arg(key).arg(value));
        }
    }
}
