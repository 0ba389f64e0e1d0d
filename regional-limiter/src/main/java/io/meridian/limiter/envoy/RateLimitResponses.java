package io.meridian.limiter.envoy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import io.meridian.limiter.decide.CheckResult;
import io.meridian.limiter.envoy.v3.HeaderValue;
import io.meridian.limiter.envoy.v3.RateLimitResponse;
import io.meridian.limiter.envoy.v3.RateLimitResponse.Code;
import io.meridian.limiter.envoy.v3.RateLimitResponse.DescriptorStatus;
import io.meridian.limiter.envoy.v3.RateLimitResponse.RateLimit;
import io.meridian.limiter.envoy.v3.RateLimitResponse.RateLimit.Unit;
import io.meridian.limiter.http.CheckAnswers;
import io.meridian.limiter.http.HttpAnswer;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.algorithm.Window;
import io.meridian.model.decision.Decision;
import io.meridian.model.decision.Decision.LimitDecision;
import jakarta.inject.Singleton;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Factory of rate limit responses from the results of checks. A request is over the limit if one of its checks is refused, by a limit,
 * by the deny list, or because a policy that fails closed cannot be decided; no result is {@code UNKNOWN}. Headers and body are those of
 * the HTTP API for the most restrictive result.
 */
@Singleton
class RateLimitResponses {
    /** Numbers of Envoy have 32 bits without a sign; a larger one is shown as the largest. */
    private static final long UINT32_MAX = 0xFFFF_FFFFL;

    private static final long SECOND_MICROS = 1_000_000;
    private static final int MICRO_NANOS = 1_000;

    private final CheckAnswers answers;

    RateLimitResponses(CheckAnswers answers) {
        this.answers = answers;
    }

    /** The response to a request with these results, one for each descriptor. */
    RateLimitResponse of(List<CheckResult> results) {
        RateLimitResponse.Builder response = RateLimitResponse.newBuilder();
        CheckResult deciding = results.get(0);
        for (int i = 0; i < results.size(); i++) {
            CheckResult result = results.get(i);
            response.addStatuses(status(result));
            deciding = i > 0 && isTighter(result, deciding) ? result : deciding;
        }
        HttpAnswer answer = answers.gateway(deciding);
        answer.headers().forEach((name, value) -> response.addResponseHeadersToAdd(header(name, value)));
        if (isAllowed(deciding)) {
            return response.setOverallCode(Code.OK).build();
        }
        return response.setOverallCode(Code.OVER_LIMIT)
                .addResponseHeadersToAdd(header("Content-Type", answer.contentType()))
                .setRawBody(ByteString.copyFrom(answer.body()))
                .build();
    }

    private static HeaderValue header(CharSequence name, CharSequence value) {
        return HeaderValue.newBuilder()
                .setKey(name.toString())
                .setValue(value.toString())
                .build();
    }

    private static DescriptorStatus status(CheckResult result) {
        DescriptorStatus.Builder status =
                DescriptorStatus.newBuilder().setCode(isAllowed(result) ? Code.OK : Code.OVER_LIMIT);
        LimitDecision deciding = deciding(result);
        if (deciding != null) {
            Standing standing = deciding.standing();
            long resetMicros = standing.resetAtMicros() - ((CheckResult.Decided) result).nowMicros();
            status.setCurrentLimit(currentLimit(deciding))
                    .setLimitRemaining(uint32(standing.remaining()))
                    .setDurationUntilReset(duration(Math.max(0, resetMicros)));
        }
        return status.build();
    }

    private static RateLimit currentLimit(LimitDecision deciding) {
        return RateLimit.newBuilder()
                .setName(deciding.limit().policy().id())
                .setRequestsPerUnit(uint32(deciding.standing().limit()))
                .setUnit(unit(deciding.limit().quota().window()))
                .build();
    }

    /** The unit that is as long as the window; a window of another length has none. */
    static Unit unit(Window window) {
        if (!(window instanceof Window.Span span)) {
            return Unit.MONTH;
        }
        return switch ((int) (span.micros() / SECOND_MICROS)) {
            case 1 -> Unit.SECOND;
            case 60 -> Unit.MINUTE;
            case 3_600 -> Unit.HOUR;
            case 86_400 -> Unit.DAY;
            case 7 * 86_400 -> Unit.WEEK;
            default -> Unit.UNKNOWN;
        };
    }

    private static int uint32(long value) {
        return (int) Math.min(UINT32_MAX, value);
    }

    private static Duration duration(long micros) {
        return Duration.newBuilder()
                .setSeconds(micros / SECOND_MICROS)
                .setNanos((int) (micros % SECOND_MICROS) * MICRO_NANOS)
                .build();
    }

    private static boolean isAllowed(CheckResult result) {
        return result instanceof CheckResult.Decided decided && decided.decision() instanceof Decision.Allowed;
    }

    /** The limit that clients may see: of those in the shadow they hear nothing. */
    private static @Nullable LimitDecision deciding(CheckResult result) {
        LimitDecision deciding = result instanceof CheckResult.Decided decided
                ? decided.decision().deciding()
                : null;
        return deciding == null || deciding.shadow() ? null : deciding;
    }

    /** Whether a result says more to the client than another: a refusal, the one that lasts longer, the limit with the least left. */
    private static boolean isTighter(CheckResult result, CheckResult other) {
        if (!isAllowed(result) || !isAllowed(other)) {
            return waitMicros(result) > waitMicros(other);
        }
        LimitDecision limit = deciding(result);
        LimitDecision least = deciding(other);
        return limit != null
                && (least == null
                        || limit.standing().remaining() < least.standing().remaining());
    }

    /** How long a result stands in the way: -1 if it does not, and without end for a client on the deny list. */
    private static long waitMicros(CheckResult result) {
        if (result instanceof CheckResult.Listed) {
            return Long.MAX_VALUE;
        }
        if (!(result instanceof CheckResult.Decided decided)) {
            return SECOND_MICROS;
        }
        if (decided.decision() instanceof Decision.Denied denied) {
            return denied.retryAfterMicros();
        }
        return decided.decision() instanceof Decision.Throttled throttled ? throttled.delayMicros() : -1;
    }
}
