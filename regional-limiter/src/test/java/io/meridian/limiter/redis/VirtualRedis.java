package io.meridian.limiter.redis;

import io.meridian.limiter.TestKeys;
import io.meridian.limiter.redis.RedisAccounts.DueReader;
import io.meridian.limiter.redis.RedisAccounts.VerdictWriter;
import io.meridian.limiter.redis.RedisIncarnations.StoredIncarnation;
import io.meridian.limiter.region.RegionAccounts.DueAccount;
import io.meridian.limiter.region.RegionAccounts.DueAccounts;
import io.meridian.model.counter.CounterReply;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.counter.GlobalCounter.FloorOffer;
import io.meridian.model.counter.WindowAccount;
import io.meridian.model.match.Limit;
import io.meridian.model.match.Shard;
import io.meridian.model.wire.VerdictRecord;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * All scripts of what regions share on a real Redis, in virtual time: their one line that reads the time is replaced, and so are
 * the commands that let keys expire.
 */
final class VirtualRedis {
    private static final Pattern TIME_LINE = Pattern.compile("(?m)^.*call\\('TIME'\\).*$");
    private static final String CLOCK = "clock";
    private static final String EXPIRIES = "expiries";
    private static final String REPLACEMENT = """
            local now = tonumber(call('GET', 'clock'))
            local call = function(command, key, ...)
                local value, how, ttl = ...
                if command == 'SET' then
                    if how == 'PX' then
                        call('HSET', 'expiries', key, string.format('%.0f', math.floor(now / 1000) + ttl))
                    elseif how ~= 'KEEPTTL' then
                        call('HDEL', 'expiries', key)
                    end
                    return call('SET', key, value)
                elseif command == 'PEXPIRE' then
                    return call('HSET', 'expiries', key, string.format('%.0f', math.floor(now / 1000) + value))
                elseif command == 'PTTL' then
                    return call('HGET', 'expiries', key) - math.floor(now / 1000)
                end
                return call(command, key, ...)
            end
            """;

    private static final String EXPIRE = """
            local gone = {}
            local all = redis.call('HGETALL', 'expiries')
            for i = 1, #all, 2 do
                if all[i + 1] * 1000 <= tonumber(ARGV[1]) or redis.call('EXISTS', all[i]) == 0 then
                    redis.call('DEL', all[i])
                    redis.call('HDEL', 'expiries', all[i])
                    gone[#gone + 1] = all[i]
                end
            end
            return gone
            """;

    private final RedisTalk redis;
    private StoredIncarnation life;
    private final CounterScript turn;
    private final Script collect;
    private final Script reported;
    private final Script verdict;
    private long nowMicros;
    private FloorOffer offer = FloorOffer.NONE;

    VirtualRedis(RedisTalk redis, StoredIncarnation life, UnaryOperator<String> altered) {
        this.redis = redis;
        this.life = life;
        this.turn = CounterScript.of(
                inVirtualTime(altered.apply(CounterScript.load(TestKeys.KEYS).text())),
                TestKeys.KEYS,
                (limit, ofLife) -> offer);
        this.collect = loaded("collect", altered);
        this.reported = loaded("reported", altered);
        this.verdict = loaded("verdict", altered);
        redis.ask(Request.cmd(Command.FLUSHALL));
        redis.ask(turn.toLoad());
        redis.ask(Request.cmd(Command.SET).arg(StoredIncarnation.key()).arg(life.packed()));
    }

    private Script loaded(String name, UnaryOperator<String> altered) {
        String text = Script.load(List.of("lib/call", "lib/account", name)).text();
        Script script = Script.of(inVirtualTime(altered.apply(text)));
        redis.ask(Request.cmd(Command.SCRIPT).arg("LOAD").arg(script.text()));
        return script;
    }

    private static String inVirtualTime(String text) {
        if (TIME_LINE.matcher(text).results().count() != 1) {
            throw new IllegalStateException("the script reads the time in more or less than one line");
        }
        return TIME_LINE.matcher(text).replaceAll(REPLACEMENT);
    }

    /** Begins another life with the data that is there, as after a restart that kept it. */
    void begin(StoredIncarnation next) {
        life = next;
        redis.ask(Request.cmd(Command.SET).arg(StoredIncarnation.key()).arg(life.packed()));
    }

    /** Sets the time, and tells by name the keys that are gone by then. */
    Set<String> at(long micros) {
        nowMicros = micros;
        List<Response> answers = redis.ask(List.of(
                Request.cmd(Command.SET).arg(CLOCK).arg(Long.toString(micros)),
                Request.cmd(Command.EVAL).arg(EXPIRE).arg(0).arg(Long.toString(micros))));
        Set<String> gone = new HashSet<>();
        answers.get(1).forEach(key -> gone.add(SetTime.name(key.toBytes())));
        return gone;
    }

    List<CounterReply> ask(List<CounterRequest> group) {
        List<List<CounterRequest>> groups = List.of(group);
        return turn.read(redis.ask(turn.arguments(turn.script().byDigest(), groups, life)), groups)
                .get(0)
                .told();
    }

    /** The floor that every ask from now on is offered. */
    void offer(FloorOffer next) {
        offer = next;
    }

    void hear(List<VerdictRecord> verdicts) {
        redis.ask(VerdictWriter.write(verdict.byDigest(), verdicts, TestKeys.KEYS, life, StoredIncarnation.key()));
    }

    List<DueAccount> due(List<Shard> shards, int max) {
        Request request = collect.byDigest().arg(shards.size() + 1);
        shards.forEach(shard -> request.arg(CounterKey.dirty(shard)));
        request.arg(StoredIncarnation.key()).arg(Integer.toString(max)).arg(life.packed());
        DueAccounts due = DueReader.read(redis.ask(request), shards);
        if (due.nowMicros() != nowMicros) {
            throw new AssertionError("told the time " + due.nowMicros() + ", not " + nowMicros);
        }
        return due.accounts();
    }

    void reported(List<DueAccount> books) {
        Request request = reported.byDigest().arg(books.size() + 1);
        books.forEach(book -> request.arg(CounterKey.dirty(book.shard())));
        request.arg(StoredIncarnation.key()).arg("0").arg(life.packed());
        books.forEach(book -> request.arg(book.handle().getBytes(StandardCharsets.ISO_8859_1)));
        redis.ask(request);
    }

    /** What is kept of a limit in the window that starts at this time. */
    Optional<WindowAccount> book(Limit limit, long startMicros) {
        byte[] name =
                PackedBook.key(CounterKey.shared(TestKeys.KEYS, limit.policy().id(), limit.key(), life), startMicros);
        return PackedBook.read(redis, name);
    }

    /** Those that do not go away by themselves. */
    List<String> keysForEver() {
        return keys().stream()
                .filter(key -> redis.ask(Request.cmd(Command.HGET).arg(EXPIRIES).arg(key)) == null)
                .map(key -> new String(key, StandardCharsets.ISO_8859_1))
                .toList();
    }

    List<byte[]> keys() {
        List<byte[]> keys = new ArrayList<>();
        redis.ask(Request.cmd(Command.KEYS).arg("*")).forEach(key -> keys.add(key.toBytes()));
        keys.removeIf(key -> {
            String name = new String(key, StandardCharsets.ISO_8859_1);
            return name.equals(CLOCK) || name.equals(EXPIRIES);
        });
        return keys;
    }
}
