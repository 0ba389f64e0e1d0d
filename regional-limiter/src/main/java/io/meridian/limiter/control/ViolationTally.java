package io.meridian.limiter.control;

import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.algorithm.Window;
import io.meridian.model.match.Check;
import io.meridian.model.match.Limit;
import io.meridian.model.wire.ViolationRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tally of the denials of one limit. Of the last request it keeps a cut text, never the request: that may be large. */
final class ViolationTally {
    private long count;
    private long cost;
    private long firstMicros = Long.MAX_VALUE;
    private long lastMicros = Long.MIN_VALUE;
    private String endpoint = "";
    private String method = "";
    private long limit;
    private long used;
    private @Nullable Window window;

    /** @param standing the counter that refused */
    void add(Check check, Limit refusing, Standing standing, long nowMicros) {
        count++;
        cost = plus(cost, refusing.cost());
        firstMicros = Math.min(firstMicros, nowMicros);
        if (nowMicros >= lastMicros) {
            lastMicros = nowMicros;
            endpoint = endpoint(check.segments());
            method = cut(check.method(), ViolationRecord.METHOD_MAX);
            limit = standing.limit();
            used = Math.max(0, standing.limit() - standing.remaining());
            window = refusing.quota().window();
        }
    }

    void add(ViolationTally other) {
        count = plus(count, other.count);
        cost = plus(cost, other.cost);
        firstMicros = Math.min(firstMicros, other.firstMicros);
        if (other.lastMicros >= lastMicros) {
            lastMicros = other.lastMicros;
            endpoint = other.endpoint;
            method = other.method;
            limit = other.limit;
            used = other.used;
            window = other.window;
        }
    }

    long count() {
        return count;
    }

    ViolationRecord record(ViolationKey key, String region) {
        return new ViolationRecord(
                key.policyId(),
                key.policyVersion(),
                key.key(),
                region,
                count,
                cost,
                firstMicros,
                lastMicros,
                key.shadow(),
                endpoint,
                method,
                limit,
                used,
                window == null ? "" : window.toString());
    }

    /** Neither is negative; what would overflow stays at the top. */
    private static long plus(long a, long b) {
        long sum = a + b;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    private static String endpoint(List<String> segments) {
        if (segments.isEmpty()) {
            return "/";
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < segments.size() && text.length() < ViolationRecord.ENDPOINT_MAX; i++) {
            text.append('/').append(segments.get(i));
        }
        return cut(text.toString(), ViolationRecord.ENDPOINT_MAX);
    }

    private static String cut(String text, int max) {
        if (text.length() <= max) {
            return text;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(max - 1)) ? max - 1 : max);
    }

    /** Key of denials that add up. Holds texts only, so that no old set of rules is kept alive. */
    record ViolationKey(String policyId, String key, long policyVersion, boolean shadow) {
        static ViolationKey of(Limit limit, boolean shadow) {
            return new ViolationKey(
                    limit.policy().id(), limit.key(), limit.policy().revision().version(), shadow);
        }
    }
}
