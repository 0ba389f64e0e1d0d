package io.meridian.limiter.api;

import io.meridian.limiter.decide.Ruling;
import io.meridian.model.algorithm.Window;
import io.meridian.model.decision.Decision.LimitDecision;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The structured fields of draft-ietf-httpapi-ratelimit-headers. The deciding limit comes first and the others in their order
 * of evaluation, up to {@link #MEMBERS_MAX}: a header has to stay short.
 */
final class RateLimitFields {
    static final int MEMBERS_MAX = 8;
    private static final int KEPT = 256;

    /** Texts of late, by limit and window. Lost updates only cost another formatting. */
    private static final PolicyText[] POLICY_TEXTS = new PolicyText[KEPT];

    private final StringBuilder policies = new StringBuilder(48);
    private final StringBuilder standings = new StringBuilder(48);

    @SuppressWarnings("ReferenceEquality") // the deciding limit is one of the evaluated
    RateLimitFields(RateLimitDraft draft, Ruling.Decided decided) {
        LimitDecision deciding = decided.decision().deciding();
        int members = add(draft, deciding, decided.nowMicros(), 0);
        List<LimitDecision> evaluated = decided.decision().limits();
        for (int i = 0; i < evaluated.size() && members < MEMBERS_MAX; i++) {
            members =
                    evaluated.get(i) == deciding ? members : add(draft, evaluated.get(i), decided.nowMicros(), members);
        }
    }

    /** {@code 1000;w=3600}: what an untouched counter of the limit admits at once, and its window in seconds. */
    static String policy(LimitDecision limit, long nowMicros) {
        long quota = limit.standing().limit();
        long windowSeconds = windowSeconds(limit.limit().quota().window(), nowMicros);
        int slot = (int) Math.floorMod(31 * quota + windowSeconds, (long) KEPT);
        PolicyText text = POLICY_TEXTS[slot];
        if (text == null || text.quota != quota || text.windowSeconds != windowSeconds) {
            text = new PolicyText(quota, windowSeconds, quota + ";w=" + windowSeconds);
            POLICY_TEXTS[slot] = text;
        }
        return text.text;
    }

    private record PolicyText(long quota, long windowSeconds, String text) {}

    String policies() {
        return policies.toString();
    }

    String standings() {
        return standings.toString();
    }

    /** The number of members with this one. */
    private int add(RateLimitDraft draft, @Nullable LimitDecision limit, long nowMicros, int members) {
        if (limit == null || limit.shadow()) {
            return members;
        }
        long quota = limit.standing().limit();
        long windowSeconds = windowSeconds(limit.limit().quota().window(), nowMicros);
        long resetSeconds = Math.max(0, Times.seconds(limit.standing().resetAtMicros() - nowMicros));
        long remaining = limit.standing().remaining();
        if (members > 0) {
            policies.append(", ");
        }
        if (draft == RateLimitDraft.DRAFT_07) {
            policies.append(quota).append(";w=").append(windowSeconds);
            if (members == 0) {
                standings.append("limit=").append(quota).append(", remaining=").append(remaining);
                standings.append(", reset=").append(resetSeconds);
            }
            return members + 1;
        }
        if (members > 0) {
            standings.append(", ");
        }
        quoted(policies, limit.limit().policy().id());
        policies.append(";q=").append(quota).append(";w=").append(windowSeconds);
        quoted(standings, limit.limit().policy().id());
        standings.append(";r=").append(remaining).append(";t=").append(resetSeconds);
        return members + 1;
    }

    /** A string of RFC 9651: backslash and quote are escaped, and what is not printable ASCII cannot be in one. */
    static void quoted(StringBuilder field, String text) {
        field.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                field.append('\\').append(c);
            } else {
                field.append(c >= ' ' && c <= '~' ? c : '?');
            }
        }
        field.append('"');
    }

    private static long windowSeconds(Window window, long nowMicros) {
        if (window instanceof Window.Span span) {
            return Times.seconds(span.micros());
        }
        long start = window.startMicros(nowMicros);
        return Times.seconds(window.endMicros(start) - start);
    }
}
