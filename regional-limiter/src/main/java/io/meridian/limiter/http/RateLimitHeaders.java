package io.meridian.limiter.http;

import io.meridian.limiter.decide.CheckResult;
import io.meridian.limiter.http.CheckJsonWriter.Warnings;
import io.meridian.limiter.http.HttpAnswer.HeaderList;
import io.meridian.limiter.http.RateLimitHeaders.RateLimitFields.RateLimitDraft;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.algorithm.Window;
import io.meridian.model.decision.Decision.LimitDecision;
import io.meridian.model.validation.Validator;
import io.vertx.core.http.HttpHeaders;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rate limit headers of an answer: those of custom, of the limit that decides, and the IETF's, of all limits. Limits in the shadow
 * have none: their clients are not to notice them.
 */
final class RateLimitHeaders {
    static final CharSequence LIMIT = HttpHeaders.createOptimized("X-RateLimit-Limit");
    static final CharSequence REMAINING = HttpHeaders.createOptimized("X-RateLimit-Remaining");
    static final CharSequence RESET = HttpHeaders.createOptimized("X-RateLimit-Reset");
    static final CharSequence POLICY = HttpHeaders.createOptimized("X-RateLimit-Policy");
    static final CharSequence DEGRADED = HttpHeaders.createOptimized("X-RateLimit-Degraded");
    static final CharSequence RETRY_AFTER = HttpHeaders.createOptimized("Retry-After");
    static final CharSequence RATELIMIT = HttpHeaders.createOptimized("RateLimit");
    static final CharSequence RATELIMIT_POLICY = HttpHeaders.createOptimized("RateLimit-Policy");
    static final CharSequence WARNING = HttpHeaders.createOptimized("X-RateLimit-Warning");
    static final CharSequence IDENTITY = HttpHeaders.createOptimized("X-RateLimit-Identity");
    static final CharSequence UNVERIFIED = HttpHeaders.createOptimized("user_id=unverified_jwt");
    private static final CharSequence TRUE = HttpHeaders.createOptimized("true");

    private final RateLimitDraft draft;

    RateLimitHeaders(RateLimitDraft draft) {
        this.draft = draft;
    }

    /**
     * The headers of an answer.
     *
     * @param refusing whether the answer is a refusal: nobody else is told when to retry
     */
    HeaderList of(CheckResult ruling, boolean refusing) {
        HeaderList headers = new HeaderList();
        if (ruling instanceof CheckResult.Decided decided) {
            add(headers, decided, refusing);
        } else if (ruling instanceof CheckResult.Undecided) {
            headers.add(RETRY_AFTER, Long.toString(AnswerTimes.UNDECIDED_SECONDS))
                    .add(DEGRADED, TRUE);
        }
        return headers;
    }

    /** The warnings of limits that are past their soft limit, in one header. Of limits in the shadow clients hear nothing. */
    void addWarnings(HeaderList headers, CheckResult ruling) {
        if (!(ruling instanceof CheckResult.Decided decided)) {
            return;
        }
        StringBuilder warnings = null;
        List<LimitDecision> evaluated = decided.decision().limits();
        for (int i = 0; i < evaluated.size() && i < RateLimitFields.MEMBERS_MAX; i++) {
            LimitDecision each = evaluated.get(i);
            String warning = each.shadow() ? null : Warnings.of(each);
            if (warning != null) {
                warnings = warnings == null ? new StringBuilder() : warnings.append("; ");
                warnings.append(warning);
            }
        }
        if (warnings != null) {
            headers.add(WARNING, warnings);
        }
    }

    private void add(HeaderList headers, CheckResult.Decided decided, boolean refusing) {
        LimitDecision deciding = decided.decision().deciding();
        if (deciding != null && !deciding.shadow()) {
            Standing standing = deciding.standing();
            RateLimitFields.PolicyText policy = RateLimitFields.policyText(deciding, decided.nowMicros());
            headers.add(LIMIT, policy.quotaText)
                    .add(REMAINING, Long.toString(standing.remaining()))
                    .add(RESET, Long.toString(AnswerTimes.seconds(standing.resetAtMicros())))
                    .add(POLICY, policy.text);
            if (draft != RateLimitDraft.NONE) {
                RateLimitFields fields = new RateLimitFields(draft, decided);
                headers.add(RATELIMIT_POLICY, fields.policies()).add(RATELIMIT, fields.standings());
            }
        }
        long retryAfterSeconds = AnswerTimes.retryAfterSeconds(decided.decision());
        if (refusing && retryAfterSeconds > 0) {
            headers.add(RETRY_AFTER, Long.toString(retryAfterSeconds));
        }
        if (decided.degraded()) {
            headers.add(DEGRADED, TRUE);
        }
    }

    /**
     * Structured fields of draft-ietf-httpapi-ratelimit-headers. The deciding limit comes first and the others in their order of
     * evaluation, up to {@link #MEMBERS_MAX}: a header has to stay short.
     */
    static final class RateLimitFields {
        static final int MEMBERS_MAX = 8;
        private static final int KEPT = 256;

        /** Texts of late, by limit and window. Lost updates only cost another formatting. */
        private static final PolicyText[] POLICY_TEXTS = new PolicyText[KEPT];

        private final StringBuilder policies = new StringBuilder(48);
        private final StringBuilder standings = new StringBuilder(48);

        @SuppressWarnings("ReferenceEquality") // the deciding limit is one of the evaluated
        RateLimitFields(RateLimitDraft draft, CheckResult.Decided decided) {
            LimitDecision deciding = decided.decision().deciding();
            int members = add(draft, deciding, decided.nowMicros(), 0);
            List<LimitDecision> evaluated = decided.decision().limits();
            for (int i = 0; i < evaluated.size() && members < MEMBERS_MAX; i++) {
                members = evaluated.get(i) == deciding
                        ? members
                        : add(draft, evaluated.get(i), decided.nowMicros(), members);
            }
        }

        /** {@code 1000;w=3600}: what an untouched counter of the limit admits at once, and its window in seconds. */
        static String policy(LimitDecision limit, long nowMicros) {
            return policyText(limit, nowMicros).text;
        }

        private static PolicyText policyText(LimitDecision limit, long nowMicros) {
            long quota = limit.standing().limit();
            long windowSeconds = windowSeconds(limit.limit().quota().window(), nowMicros);
            int slot = (int) Math.floorMod(31 * quota + windowSeconds, (long) KEPT);
            PolicyText text = POLICY_TEXTS[slot];
            if (text == null || text.quota != quota || text.windowSeconds != windowSeconds) {
                text = new PolicyText(quota, windowSeconds, Long.toString(quota), quota + ";w=" + windowSeconds);
                POLICY_TEXTS[slot] = text;
            }
            return text;
        }

        private record PolicyText(long quota, long windowSeconds, String quotaText, String text) {}

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
            long resetSeconds = Math.max(0, AnswerTimes.seconds(limit.standing().resetAtMicros() - nowMicros));
            long remaining = limit.standing().remaining();
            if (members > 0) {
                policies.append(", ");
            }
            if (draft == RateLimitDraft.DRAFT_07) {
                policies.append(quota).append(";w=").append(windowSeconds);
                if (members == 0) {
                    standings
                            .append("limit=")
                            .append(quota)
                            .append(", remaining=")
                            .append(remaining);
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
                return AnswerTimes.seconds(span.micros());
            }
            long start = window.startMicros(nowMicros);
            return AnswerTimes.seconds(window.endMicros(start) - start);
        }

        /** Drafts of the IETF's RateLimit fields that an answer can follow. */
        enum RateLimitDraft {
            /** {@code "policy";q=100;w=60} and {@code "policy";r=50;t=30}: a member for each limit. */
            DRAFT_10,
            /** {@code 100;w=60} for each limit, and {@code limit=100, remaining=50, reset=30} of the deciding one. */
            DRAFT_07,
            /** Neither field. */
            NONE;

            static RateLimitDraft parse(String text) {
                return switch (text) {
                    case "10" -> DRAFT_10;
                    case "07", "7" -> DRAFT_07;
                    case "none" -> NONE;
                    default ->
                        throw Validator.invalid("meridian.limiter.api.ratelimit-draft", text, "must be 10, 07 or none");
                };
            }
        }
    }
}
