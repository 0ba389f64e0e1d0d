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
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Numbers, names and struct formats that scripts share with Java, generated from the Java enums, codecs and constants. Scripts name them in
 * capitals, and {@link Script} writes their values in the place of the names. The scripts state none of them again, so the two sides cannot drift; a
 * test reads every script for names that are defined twice or nowhere.
 *
 * <p>Values in place, not local variables before the script: a call of one request then takes 14 us in Redis instead of 30, because every function
 * that is made in a call searches for each outer variable that it uses.
 */
final class ScriptConstants {
    /** Comments and strings, which stay as they are, and names in capitals. */
    private static final Pattern NAME = Pattern.compile("--.*|'[^']*'|\\b[A-Z][A-Z0-9_]+\\b");

    private static final ScriptConstants ALL = all();

    private final Map<String, String> values = new LinkedHashMap<>();

    private ScriptConstants() {}

    /** The text of a script with the values of all constants in the place of their names. */
    static String expand(String text) {
        return ALL.expanded(text);
    }

    /** Names of all constants. */
    static Set<String> names() {
        return Collections.unmodifiableSet(ALL.values.keySet());
    }

    private String expanded(String text) {
        return NAME.matcher(text).replaceAll(found -> {
            String name = found.group();
            return Matcher.quoteReplacement(values.getOrDefault(name, name));
        });
    }

    private static ScriptConstants all() {
        ScriptConstants all = new ScriptConstants()
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
                .number("HASH_BYTES", CounterKey.HASH_BYTES);
    }

    /** The text with the constants of an enum alone. */
    static <E extends Enum<E>> String expand(String text, E[] constants, ToLongFunction<E> code) {
        return new ScriptConstants().numbers(constants, code).expanded(text);
    }

    /** The text with the format of a record alone. */
    static String expand(String text, String name, PackedField... fields) {
        return new ScriptConstants().format(name, fields).expanded(text);
    }

    private <E extends Enum<E>> ScriptConstants numbers(E[] constants, ToLongFunction<E> code) {
        Arrays.stream(constants).forEach(each -> number(each.name(), code.applyAsLong(each)));
        return this;
    }

    private ScriptConstants number(String name, long value) {
        return put(name, Long.toString(value));
    }

    private ScriptConstants text(String name, String value) {
        return put(name, "'" + value + "'");
    }

    private ScriptConstants format(String name, PackedField... fields) {
        return text(name + "_FORMAT", PackedField.format(fields));
    }

    private ScriptConstants put(String name, String value) {
        if (values.put(name, value) != null) {
            throw new IllegalStateException("two constants of the scripts have the name " + name);
        }
        return this;
    }
}
