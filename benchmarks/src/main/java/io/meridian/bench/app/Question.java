package io.meridian.bench.app;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The body of a check, as the framework's own JSON binding reads it. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
record Question(
        Map<String, String> attributes,
        String endpoint,
        String method,
        Map<String, String> headers,
        long cost,
        @Nullable String requestId) {}
