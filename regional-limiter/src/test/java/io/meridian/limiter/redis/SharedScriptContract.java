package io.meridian.limiter.redis;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.limiter.TestKeys;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.stack.servers.RedisServer.RedisRelease;
import io.meridian.testkit.TestAmounts;
import io.meridian.testkit.TestSeeds;
import io.meridian.testkit.servers.TestRedis;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Contract of the script for limits that regions share: it decides as {@link io.meridian.model.counter.GlobalCounter}. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SharedScriptContract {
    private static final int HISTORIES = TestAmounts.of(6, 60);
    /** In which every altered script shows; fewer miss some of them. */
    private static final int KNOWN_HISTORIES = 60;

    private static final int STEPS = 60;

    private final TestRedis server;
    private final RedisTalk redis;

    SharedScriptContract(RedisRelease release) {
        this.server = TestRedis.start(release);
        this.redis = RedisTalk.to(server.url());
    }

    @AfterAll
    void close() {
        redis.close();
        server.close();
    }

    @ParameterizedTest
    @EnumSource
    void a_limit_that_converges_is_answered_like_the_pure_turn(Algorithm algorithm) {
        TestSeeds.forEachHistory(HISTORIES, play(UnaryOperator.identity(), algorithm, false));
    }

    @Test
    void a_limit_in_escrow_is_answered_like_the_pure_turn() {
        TestSeeds.forEachHistory(HISTORIES, play(UnaryOperator.identity(), Algorithm.FIXED_WINDOW, true));
    }

    /** Takes away what one line of a script is there for. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "FIXED_WINDOW   | false | free = request.capacity - own - account.usedElsewhere | free = request.capacity - own",
                "FIXED_WINDOW   | false | request.capacity <= account.verdictLimit | true",
                "FIXED_WINDOW   | false | local same = start == open.start         | local same = true",
                "FIXED_WINDOW   | false | monthStart(start + 31 * DAY)             | start + 30 * DAY",
                "FIXED_WINDOW   | false | sequence > account.sequence              | true",
                "FIXED_WINDOW   | false | if raw or now < stop then apply          | if true then apply",
                "FIXED_WINDOW   | false | taken < unpack('>I8', ARGV[2])           | false",
                "GCRA           | false | taken < unpack('>I8', ARGV[2])           | false",
                "FIXED_WINDOW   | true  | return number + more < ACCOUNT_MAX and number + more or ACCOUNT_MAX | return number + more",
                "FIXED_WINDOW   | true  | free = line - own                        | free = account.granted - own",
                "FIXED_WINDOW   | true  | line = line + request.overdraft          | line = line",
                "FIXED_WINDOW   | true  | if line < request.capacity then line = request.capacity end | line = request.capacity",
                "FIXED_WINDOW   | true  | account.granted, account.refused = granted, 0 | account.granted = granted",
                "FIXED_WINDOW   | true  | if more then                             | if newer then",
                "FIXED_WINDOW   | true  | keep ~= KEEP_ALL and unspent > keep and unspent - keep or 0 | 0",
                "FIXED_WINDOW   | true  | account.granted - account.grantReturned  | account.granted",
                "FIXED_WINDOW   | true  | (account.floor or 0) + account.granted   | account.granted",
                "FIXED_WINDOW   | true  | if request.sharing == ESCROW and not account.floor then | if request.sharing == ESCROW then",
                "FIXED_WINDOW   | true  | start >= request.floorFrom and start < request.floorBefore | start >= request.floorFrom",
                "FIXED_WINDOW   | true  | start >= request.floorFrom and start < request.floorBefore | start < request.floorBefore",
                "FIXED_WINDOW   | true  | local decides = keep ~= KEEP_ALL and not account.floor | local decides = false",
                "TOKEN_BUCKET   | false | account.applied = account.usedElsewhere  | account.applied = 0",
                "TOKEN_BUCKET   | false | more > 0 and request.chargedMax or       | more > 0 and request.capacity or",
                "TOKEN_BUCKET   | false | if more == 0 then return end             | if more <= 0 then return end",
                "SLIDING_WINDOW_COUNTER | false | if rawBefore then                | if false then",
            })
    void an_altered_script_is_found_out(Algorithm algorithm, boolean escrow, String from, String to) {
        assertThatThrownBy(() ->
                        TestSeeds.forEachKnownHistory(KNOWN_HISTORIES, play(altered(from, to), algorithm, escrow)))
                .isInstanceOf(AssertionError.class);
    }

    private Consumer<SplittableRandom> play(UnaryOperator<String> altered, Algorithm algorithm, boolean escrow) {
        return random -> {
            SharedWorld world = new SharedWorld(
                    random,
                    life -> new VirtualRedis(redis, life, altered),
                    id -> SharedDraw.limit(random, id, algorithm, escrow));
            for (int i = 0; i < STEPS; i++) {
                world.step();
            }
        };
    }

    /** Alters the scripts that say so; one of them must. */
    private static UnaryOperator<String> altered(String from, String to) {
        String all = CounterScript.load(TestKeys.KEYS).text()
                + Script.load(List.of("verdict")).text();
        String said = ScriptConstants.expand(from);
        if (!all.contains(said)) {
            throw new IllegalArgumentException("no script says " + said);
        }
        return text -> text.replace(said, ScriptConstants.expand(to));
    }
}
