package io.meridian.limiter.redis;

import io.meridian.limiter.redis.CounterCodec.ReplyField;
import io.meridian.limiter.redis.CounterCodec.RequestField;
import io.meridian.limiter.redis.CounterCodec.RequestKind;
import io.meridian.limiter.redis.CounterCodec.SharedRequestField;
import io.meridian.limiter.redis.CounterKey.AlgorithmCode;
import io.meridian.limiter.redis.RedisAccounts.DueField;
import io.meridian.limiter.redis.RedisAccounts.VerdictField;
import io.meridian.limiter.redis.RedisIncarnations.StoredIncarnation;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.DrainRate;
import io.meridian.model.algorithm.Outcome.TakenAhead;
import io.meridian.model.counter.CounterRequest.Take;
import io.meridian.model.counter.GlobalCounter;
import io.meridian.model.counter.RegionModel.ReportMark;
import io.meridian.model.counter.RegionModel.ReportMark.Urgency;
import io.meridian.model.counter.WindowAccount;
import io.meridian.model.usage.SharingMode;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Lua text before every script: the numbers, names and struct formats that scripts share with Java, generated from the Java enums, codecs and
 * constants. The scripts state none of them again, so the two sides cannot drift; a test reads every script
 * for names that are defined twice or nowhere. One local variable each: Lua allows 200 in a script.
 */
final class ScriptPrelude {
    private final Map<String, String> values = new LinkedHashMap<>();

    private ScriptPrelude() {}

    /** The prelude of all scripts. */
    static String text() {
        ScriptPrelude all = new ScriptPrelude()
                .numbers(Algorithm.values(), AlgorithmCode::of)
                .numbers(RequestKind.values(), RequestKind::code)
                .numbers(SharingMode.values(), SharingMode::code)
                .numbers(Urgency.values(), Urgency::code);
        all.number("CONTINUES", CounterCodec.CONTINUES)
                .number("GLOBAL", CounterCodec.GLOBAL)
                .number("SHADOW", CounterCodec.SHADOW)
                .format("REQUEST", RequestField.values())
                .format("SHARED_REQUEST", SharedRequestField.values())
                .format("REPLY", ReplyField.values())
                .format("SHARED_REPLY", CounterCodec.sharedReply())
                .format("DUE", DueField.values())
                .format("VERDICT", VerdictField.values());
        all.number("NEVER", CounterCodec.NEVER)
                .number("OVERDRAFT_LOCAL", Take.LOCAL)
                .number("FLOOR_UNDECIDED", WindowAccount.UNDECIDED)
                .number("KEEP_ALL", RedisAccounts.KEEP_ALL);
        all.number("LEASE_SHARE", TakenAhead.SHARE)
                .number("SUB_WINDOWS", Algorithm.SUB_WINDOWS)
                .number("ESTIMATE_PARTS", Algorithm.ESTIMATE_PARTS)
                .number("EXACT_MAX", DrainRate.EXACT_MAX)
                .number("DRAIN_MICROS_MAX", DrainRate.MICROS_MAX)
                .number("ACCOUNT_MAX", WindowAccount.MAX)
                .number("MATTERS_PART", WindowAccount.MATTERS_PART)
                .number("GRANTED_WITHIN", GlobalCounter.GRANTED_WITHIN_MICROS)
                .number("KEPT", GlobalCounter.KEPT_MICROS)
                .number("HEARTBEAT", ReportMark.HEARTBEAT_MILLIS)
                .number("CLAIM", ReportMark.CLAIM_MILLIS);
        return all.text("STALE_INCARNATION", Script.Failure.STALE_INCARNATION_CODE)
                .text("INCARNATION_KEY", StoredIncarnation.KEY)
                .text("ORIGIN_KEY", StoredIncarnation.ORIGIN_KEY)
                .text("WIPED", Character.toString(RedisIncarnations.WIPED))
                .text("LIST_SUFFIX", Character.toString(CounterKey.LIST))
                .text("DIRTY_SUFFIX", Character.toString(CounterKey.DIRTY))
                .number("HASH_BYTES", CounterKey.HASH_BYTES)
                .lua();
    }

    /** The constants of an enum, as numbers. */
    static <E extends Enum<E>> String of(E[] constants, ToLongFunction<E> code) {
        return new ScriptPrelude().numbers(constants, code).lua();
    }

    /** The format of a record. */
    static String of(String name, PackedField... fields) {
        return new ScriptPrelude().format(name, fields).lua();
    }

    private <E extends Enum<E>> ScriptPrelude numbers(E[] constants, ToLongFunction<E> code) {
        Arrays.stream(constants).forEach(each -> number(each.name(), code.applyAsLong(each)));
        return this;
    }

    private ScriptPrelude number(String name, long value) {
        return put(name, Long.toString(value));
    }

    private ScriptPrelude text(String name, String value) {
        return put(name, "'" + value + "'");
    }

    private ScriptPrelude format(String name, PackedField... fields) {
        return text(name + "_FORMAT", PackedField.format(fields));
    }

    private ScriptPrelude put(String name, String value) {
        if (values.put(name, value) != null) {
            throw new IllegalStateException("two constants of the scripts have the name " + name);
        }
        return this;
    }

    private String lua() {
        return values.entrySet().stream()
                .map(each -> "local " + each.getKey() + " = " + each.getValue() + "\n")
                .collect(Collectors.joining());
    }
}
