package io.meridian.limiter.api;

import io.meridian.limiter.decide.Ruling;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.decision.Decision.LimitDecision;
import io.vertx.core.http.HttpHeaders;
import java.util.List;

/**
 * The headers of a decision: those of custom, of the limit that decides, and the IETF's, of all limits. Limits in the
 * shadow have none: their clients are not to notice them.
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
    HeaderList of(Ruling ruling, boolean refusing) {
        HeaderList headers = new HeaderList();
        if (ruling instanceof Ruling.Decided decided) {
            add(headers, decided, refusing);
        } else if (ruling instanceof Ruling.Undecided) {
            headers.add(RETRY_AFTER, Long.toString(Waits.UNDECIDED_SECONDS)).add(DEGRADED, TRUE);
        }
        return headers;
    }

    /** The warnings of limits that are past their soft limit, in one header. Of limits in the shadow clients hear nothing. */
    void addWarnings(HeaderList headers, Ruling ruling) {
        if (!(ruling instanceof Ruling.Decided decided)) {
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

    private void add(HeaderList headers, Ruling.Decided decided, boolean refusing) {
        LimitDecision deciding = decided.decision().deciding();
        if (deciding != null && !deciding.shadow()) {
            Standing standing = deciding.standing();
            headers.add(LIMIT, Long.toString(standing.limit()))
                    .add(REMAINING, Long.toString(standing.remaining()))
                    .add(RESET, Long.toString(Times.seconds(standing.resetAtMicros())))
                    .add(POLICY, RateLimitFields.policy(deciding, decided.nowMicros()));
            if (draft != RateLimitDraft.NONE) {
                RateLimitFields fields = new RateLimitFields(draft, decided);
                headers.add(RATELIMIT_POLICY, fields.policies()).add(RATELIMIT, fields.standings());
            }
        }
        long retryAfterSeconds = Waits.retryAfterSeconds(decided.decision());
        if (refusing && retryAfterSeconds > 0) {
            headers.add(RETRY_AFTER, Long.toString(retryAfterSeconds));
        }
        if (decided.degraded()) {
            headers.add(DEGRADED, TRUE);
        }
    }
}
