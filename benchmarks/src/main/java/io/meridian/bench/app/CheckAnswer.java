package io.meridian.bench.app;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import jakarta.ws.rs.core.Response;
import java.util.List;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

/** The body of a decision with one limit, as the framework's own JSON binding writes it. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
record CheckAnswer(
        boolean allowed,
        String policy,
        long limit,
        long remaining,
        String resetAt,
        @Nullable Long retryAfter,
        long delayMs,
        List<String> warnings,
        boolean degraded,
        String region,
        List<LimitAnswer> limits) {
    private static final String RESET_AT = "2026-01-15T11:00:00Z";

    static RestResponse<CheckAnswer> of(boolean allowed, String key, long limit, long remaining) {
        LimitAnswer only = new LimitAnswer("all", key, allowed, limit, remaining, RESET_AT, false, "lease", "exact", 0);
        CheckAnswer answer = new CheckAnswer(
                allowed, "all", limit, remaining, RESET_AT, null, 0, List.of(), false, "us-east", List.of(only));
        return RestResponse.ResponseBuilder.create(
                        allowed ? Response.Status.OK : Response.Status.TOO_MANY_REQUESTS, answer)
                .header("X-RateLimit-Limit", limit)
                .header("X-RateLimit-Remaining", remaining)
                .header("X-RateLimit-Reset", 1_768_474_800L)
                .header("RateLimit-Policy", "\"all\";q=" + limit + ";w=60")
                .header("RateLimit", "\"all\";r=" + remaining + ";t=60")
                .build();
    }

    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    record LimitAnswer(
            String policy,
            String key,
            boolean allowed,
            long limit,
            long remaining,
            String resetAt,
            boolean shadow,
            String decidedBy,
            String bound,
            long stalenessMs) {}
}
