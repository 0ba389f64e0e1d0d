package io.meridian.client.filter;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.meridian.client.CheckDecision;
import io.meridian.client.CheckDecision.LimitStatus;
import io.meridian.client.InvalidCheckException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Answer of a filter to its client: the headers for every request, and status and problem document (RFC 9457) for one that is refused. A
 * refused client gets the id of its request: the one it sent in {@code X-Request-Id}, or a new one. The id is never the check's request id,
 * for a client that repeats an id would then be charged once.
 */
public final class RateLimitAnswer {
    public static final String REQUEST_ID = "X-Request-Id";
    public static final String CONTENT_TYPE = "application/problem+json";

    private static final JsonFactory FACTORY = new JsonFactory();
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int ID_MAX = 128;
    private static final int ID_BYTES = 8;
    private static final int BAD_REQUEST = 400;

    private final int status;
    private final Map<String, String> headers;
    private final byte[] body;

    private RateLimitAnswer(int status, Map<String, String> headers, byte[] body) {
        this.status = status;
        this.headers = headers;
        this.body = body;
    }

    /**
     * The answer to a request that a decision refuses.
     *
     * @param path of the request, for the document's {@code instance}
     * @param sentId the client's own id of the request, if it sent one
     */
    public static RateLimitAnswer refused(CheckDecision decision, String path, @Nullable String sentId) {
        String id = requestId(sentId);
        Map<String, String> headers = new LinkedHashMap<>(headers(decision));
        headers.put(REQUEST_ID, id);
        byte[] body = document(json -> {
            json.writeStringField("type", or(decision.type(), "about:blank"));
            json.writeStringField("title", or(decision.title(), "The request was refused"));
            json.writeNumberField("status", decision.status());
            json.writeStringField("detail", or(decision.detail(), "the request was refused by the rate limiter"));
            json.writeStringField("instance", path);
            json.writeStringField("request_id", id);
            if (decision.policy() != null) {
                json.writeStringField("policy", decision.policy());
                json.writeNumberField("limit", decision.limit());
                json.writeNumberField("remaining", decision.remaining());
            }
            if (decision.resetAt() != null) {
                json.writeStringField("reset_at", decision.resetAt().toString());
            }
            if (decision.retryAfterSeconds() > 0) {
                json.writeNumberField("retry_after", decision.retryAfterSeconds());
            }
            if (decision.upgradeUrl() != null) {
                json.writeStringField("upgrade_url", decision.upgradeUrl());
            }
        });
        return new RateLimitAnswer(decision.status(), headers, body);
    }

    /** The answer to a request that the limiter cannot judge: a part of it breaks the rules of a check, such as a path of 3,000 characters. */
    public static RateLimitAnswer invalid(InvalidCheckException invalid, String path, @Nullable String sentId) {
        String id = requestId(sentId);
        byte[] body = document(json -> {
            json.writeStringField("type", "urn:meridian:problem:invalid");
            json.writeStringField("title", "A value breaks a rule");
            json.writeNumberField("status", BAD_REQUEST);
            json.writeStringField("detail", String.valueOf(invalid.getMessage()));
            json.writeStringField("instance", path);
            json.writeStringField("request_id", id);
        });
        return new RateLimitAnswer(BAD_REQUEST, Map.of(REQUEST_ID, id), body);
    }

    /** The headers for a request, allowed or refused; none if no policy applied. */
    public static Map<String, String> headers(CheckDecision decision) {
        Map<String, String> headers = new LinkedHashMap<>();
        if (decision.policy() != null) {
            headers.put("X-RateLimit-Limit", Long.toString(Math.max(0, decision.limit())));
            headers.put("X-RateLimit-Remaining", Long.toString(Math.max(0, decision.remaining())));
            if (decision.resetAt() != null) {
                headers.put(
                        "X-RateLimit-Reset", Long.toString(decision.resetAt().getEpochSecond()));
            }
            fields(decision.limits(), headers);
        }
        if (!decision.allowed() && decision.retryAfterSeconds() > 0) {
            headers.put("Retry-After", Long.toString(decision.retryAfterSeconds()));
        }
        if (decision.degraded()) {
            headers.put("X-RateLimit-Degraded", "true");
        }
        return headers;
    }

    /** The structured fields of the IETF draft. Limits in the shadow are not the client's concern. */
    private static void fields(List<LimitStatus> limits, Map<String, String> headers) {
        StringBuilder policies = new StringBuilder();
        StringBuilder states = new StringBuilder();
        for (LimitStatus limit : limits) {
            if (limit.shadow() || limit.limit() < 0 || limit.remaining() < 0) {
                continue;
            }
            String separator = policies.length() == 0 ? "\"" : ", \"";
            policies.append(separator).append(limit.policy()).append("\";q=").append(limit.limit());
            states.append(separator).append(limit.policy()).append("\";r=").append(limit.remaining());
        }
        if (policies.length() > 0) {
            headers.put("RateLimit-Policy", policies.toString());
            headers.put("RateLimit", states.toString());
        }
    }

    public int status() {
        return status;
    }

    public Map<String, String> headers() {
        return headers;
    }

    /** Bytes of the problem document. */
    public byte[] body() {
        return body.clone();
    }

    private static String requestId(@Nullable String sent) {
        if (sent != null
                && !sent.isEmpty()
                && sent.length() <= ID_MAX
                && sent.chars().allMatch(RateLimitAnswer::isPlain)) {
            return sent;
        }
        byte[] bytes = new byte[ID_BYTES];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static boolean isPlain(int character) {
        return (character >= '0' && character <= '9')
                || (character >= 'a' && character <= 'z')
                || (character >= 'A' && character <= 'Z')
                || character == '-'
                || character == '_'
                || character == '.'
                || character == ':';
    }

    private static String or(@Nullable String text, String other) {
        return text == null ? other : text;
    }

    private static byte[] document(Members members) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        try (JsonGenerator json = FACTORY.createGenerator(bytes)) {
            json.writeStartObject();
            members.write(json);
            json.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException("memory can be written to", impossible);
        }
        return bytes.toByteArray();
    }

    private interface Members {
        void write(JsonGenerator json) throws IOException;
    }
}
