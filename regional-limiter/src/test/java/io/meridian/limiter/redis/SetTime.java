package io.meridian.limiter.redis;

import io.meridian.limiter.TestKeys;
import io.meridian.limiter.redis.RedisIncarnations.StoredIncarnation;
import io.meridian.limiter.region.Ports.FloorOffers;
import io.meridian.limiter.region.RegionCounters.Reply;
import io.meridian.model.counter.CounterRequest;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The script with its one line that reads the time replaced: the time comes from outside, and no key expires by the
 * server's clock; when each would is written down instead.
 */
final class SetTime {
    private static final Pattern TIME_LINE = Pattern.compile("(?m)^.*call\\('TIME'\\).*$");
    private static final String EXPIRIES = "expiries";
    private static final String REPLACEMENT = """
            local now = tonumber(ARGV[3])
            local call = function(command, key, ...)
                local value, _, ttl = ...
                if command == 'SET' then
                    call('RPUSH', 'expiries', key, ttl)
                    return call('SET', key, value)
                elseif command == 'PEXPIRE' then
                    return call('RPUSH', 'expiries', key, value)
                end
                return call(command, key, ...)
            end
            """;

    private final CounterScript script;
    private final RedisTalk redis;

    SetTime(String text, RedisTalk redis) {
        Matcher line = TIME_LINE.matcher(text);
        String replaced = line.replaceAll(Matcher.quoteReplacement(REPLACEMENT));
        if (TIME_LINE.matcher(text).results().count() != 1 || replaced.equals(text)) {
            throw new IllegalStateException("the script reads the time in more or less than one line");
        }
        this.script = CounterScript.of(replaced, TestKeys.KEYS, FloorOffers.NONE);
        this.redis = redis;
        redis.ask(script.toLoad());
    }

    /** @param expiryMicros when each key that was written expires */
    record Asked(List<Reply> replies, Map<String, Long> expiryMicros) {}

    Asked ask(List<List<CounterRequest>> groups, long nowMicros) {
        List<Response> responses = redis.ask(List.of(
                script.arguments(script.script().byDigest(), groups, StoredIncarnation.OF_A_CLUSTER)
                        .arg(nowMicros),
                Request.cmd(Command.LRANGE).arg(EXPIRIES).arg(0).arg(-1),
                Request.cmd(Command.DEL).arg(EXPIRIES)));
        Map<String, Long> expiries = new HashMap<>();
        Response written = responses.get(1);
        for (int i = 0; i < written.size(); i += 2) {
            long millis = written.get(i + 1).toLong();
            expiries.put(name(written.get(i).toBytes()), nowMicros + 1_000 * millis);
        }
        return new Asked(script.read(responses.get(0), groups), expiries);
    }

    void forget(byte[] key) {
        redis.ask(Request.cmd(Command.DEL).arg(key));
    }

    static String name(byte[] key) {
        return HexFormat.of().formatHex(key);
    }
}
