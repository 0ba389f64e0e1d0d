package io.meridian.limiter.redis;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.limiter.TestKeys;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.stack.fixture.TestRedis;
import io.meridian.stack.server.RedisRelease;
import io.meridian.testkit.TestAmounts;
import io.meridian.testkit.TestSeeds;
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

/** What the script promises of limits that regions share: to be {@link io.meridian.model.counter.GlobalCounter}. */
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
                "FIXED_WINDOW   | false | free = capacity - own - book.elsewhere   | free = capacity - own",
                "FIXED_WINDOW   | false | capacity <= book.flagLimit then return   | true then return",
                "FIXED_WINDOW   | false | local same = takenStart == start         | local same = true",
                "FIXED_WINDOW   | false | monthStart(start + 31 * DAY)             | start + 30 * DAY",
                "FIXED_WINDOW   | false | sequence > book.sequence                 | true",
                "FIXED_WINDOW   | false | if raw or now < stop then hear           | if true then hear",
                "FIXED_WINDOW   | false | taken < unpack('>I8', ARGV[2])           | false",
                "GCRA           | false | taken < unpack('>I8', ARGV[2])           | false",
                "FIXED_WINDOW   | true  | return number + more < BOOK_MAX and number + more or BOOK_MAX | return number + more",
                "FIXED_WINDOW   | true  | free = line - own                        | free = book.granted - own",
                "FIXED_WINDOW   | true  | line = line + overdraft                  | line = line",
                "FIXED_WINDOW   | true  | if line < capacity then line = capacity end | line = capacity",
                "FIXED_WINDOW   | true  | book.granted, book.refused = granted, 0  | book.granted = granted",
                "FIXED_WINDOW   | true  | if more then                             | if newer then",
                "FIXED_WINDOW   | true  | keep >= 0 and unspent > keep and unspent - keep or 0 | 0",
                "FIXED_WINDOW   | true  | book.granted - book.grantReturned        | book.granted",
                "FIXED_WINDOW   | true  | (book.floor or 0) + book.granted         | book.granted",
                "FIXED_WINDOW   | true  | if escrow and not book.floor then        | if escrow then",
                "FIXED_WINDOW   | true  | start >= from and start < before         | start >= from",
                "FIXED_WINDOW   | true  | start >= from and start < before         | start < before",
                "FIXED_WINDOW   | true  | local decides = keep >= 0 and not book.floor | local decides = false",
                "TOKEN_BUCKET   | false | book.applied = book.elsewhere            | book.applied = 0",
                "TOKEN_BUCKET   | false | pack('>I8I8', more, chargedMax)          | pack('>I8I8', more, capacity)",
                "TOKEN_BUCKET   | false | if more == 0 then return false end       | if more <= 0 then return false end",
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
        String all = TurnScript.load(TestKeys.KEYS).text()
                + Script.load(List.of("verdict")).text();
        if (!all.contains(from)) {
            throw new IllegalArgumentException("no script says " + from);
        }
        return text -> text.replace(from, to);
    }
}
