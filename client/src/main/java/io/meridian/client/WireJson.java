package io.meridian.client;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.meridian.client.CheckDecision.Head;
import io.meridian.client.CheckDecision.LimitStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON of the limiter's API, written and read token by token. Members that this version does not know are passed over. */
final class WireJson {
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final int BAD_REQUEST = 400;

    private WireJson() {}

    private static final byte[] BATCH_START = "{\"checks\":[".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] BATCH_END = "]}".getBytes(StandardCharsets.US_ASCII);

    /**
     * The bytes of one check.
     *
     * @throws InvalidCheckException if a text of it is none in Unicode
     */
    static byte[] check(CheckRequest request) {
        return write(json -> {
            json.writeStartObject();
            writeCheck(json, request);
            json.writeEndObject();
        });
    }

    /** A batch of checks that were written before. */
    static byte[] batch(List<byte[]> checks) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        bytes.writeBytes(BATCH_START);
        for (int i = 0; i < checks.size(); i++) {
            if (i > 0) {
                bytes.write(',');
            }
            bytes.writeBytes(checks.get(i));
        }
        bytes.writeBytes(BATCH_END);
        return bytes.toByteArray();
    }

    static byte[] lease(CheckRequest request, long units, long ttlMillis) {
        return write(json -> {
            json.writeStartObject();
            writeCheck(json, request);
            json.writeNumberField("units", units);
            json.writeNumberField("ttl_ms", ttlMillis);
            json.writeEndObject();
        });
    }

    static byte[] units(long units) {
        return write(json -> {
            json.writeStartObject();
            json.writeNumberField("units", units);
            json.writeEndObject();
        });
    }

    private static void writeCheck(JsonGenerator json, CheckRequest request) throws IOException {
        writeTexts(json, "attributes", request.attributes());
        if (!request.endpoint().isEmpty()) {
            json.writeStringField("endpoint", request.endpoint());
        }
        if (!request.method().isEmpty()) {
            json.writeStringField("method", request.method());
        }
        writeTexts(json, "headers", request.headers());
        if (request.cost() != 1) {
            json.writeNumberField("cost", request.cost());
        }
        if (request.requestId() != null) {
            json.writeStringField("request_id", request.requestId());
        }
        if (!request.policies().isEmpty()) {
            json.writeArrayFieldStart("policies");
            for (String policy : request.policies()) {
                json.writeString(policy);
            }
            json.writeEndArray();
        }
    }

    private static void writeTexts(JsonGenerator json, String field, Map<String, String> texts) throws IOException {
        if (texts.isEmpty()) {
            return;
        }
        json.writeObjectFieldStart(field);
        for (Map.Entry<String, String> each : texts.entrySet()) {
            json.writeStringField(each.getKey(), each.getValue());
        }
        json.writeEndObject();
    }

    static byte[] write(Document document) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        try (JsonGenerator json = FACTORY.createGenerator(bytes)) {
            document.write(json);
        } catch (IOException unwritable) {
            throw new InvalidCheckException(
                    BAD_REQUEST, "the check cannot be written as JSON: " + unwritable.getMessage());
        }
        return bytes.toByteArray();
    }

    /** Writer of one document. */
    interface Document {
        void write(JsonGenerator json) throws IOException;
    }

    /** The answers of a batch, in order. */
    static List<Answer> readBatch(byte[] body) throws IOException {
        try (JsonParser json = FACTORY.createParser(body)) {
            expect(json, json.nextToken(), JsonToken.START_OBJECT);
            List<Answer> answers = new ArrayList<>();
            for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
                JsonToken value = json.nextToken();
                if (!name.equals("results")) {
                    json.skipChildren();
                    continue;
                }
                expect(json, value, JsonToken.START_ARRAY);
                while (json.nextToken() == JsonToken.START_OBJECT) {
                    answers.add(new AnswerReader().read(json, 0));
                }
            }
            return answers;
        }
    }

    /** The answer of a call of its own. */
    static Answer readAnswer(byte[] body, int status) throws IOException {
        try (JsonParser json = FACTORY.createParser(body)) {
            expect(json, json.nextToken(), JsonToken.START_OBJECT);
            return new AnswerReader().read(json, status);
        }
    }

    private static void expect(JsonParser json, @Nullable JsonToken token, JsonToken wanted) throws IOException {
        if (token != wanted) {
            throw new IOException("expected " + wanted + " in the limiter's answer, got " + token + " at "
                    + json.currentTokenLocation().getByteOffset());
        }
    }

    /**
     * Answer of a limiter.
     *
     * @param decided whether it is a decision, and not only a problem
     * @param leaseId of a lease, else null
     */
    record Answer(boolean decided, Head head, @Nullable String leaseId, long units, long ttlMillis) {}

    /** Reader of one answer: a decision, a lease or a problem document. */
    private static final class AnswerReader {
        private boolean decided;
        private boolean allowed;
        private int status;

        @Nullable private String policy;

        private long limit = -1;
        private long remaining = -1;

        @Nullable private Instant resetAt;

        private long retryAfter = -1;
        private long delay;
        private List<String> warnings = List.of();
        private boolean degraded;
        private String region = "";
        private List<LimitStatus> limits = List.of();

        @Nullable private String type;

        @Nullable private String title;

        @Nullable private String detail;

        @Nullable private String upgradeUrl;

        @Nullable private String leaseId;

        private long units;
        private long ttlMillis;
        private Map<String, Long> unitCosts = Map.of();

        Answer read(JsonParser json, int httpStatus) throws IOException {
            status = httpStatus;
            for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
                member(json, name, json.nextToken());
            }
            Head head = new Head(
                    status,
                    allowed,
                    policy,
                    limit,
                    remaining,
                    resetAt,
                    retryAfter,
                    delay,
                    warnings,
                    degraded,
                    region,
                    limits,
                    type,
                    title,
                    detail,
                    upgradeUrl,
                    unitCosts);
            return new Answer(decided, head, leaseId, units, ttlMillis);
        }

        private void member(JsonParser json, String name, JsonToken value) throws IOException {
            switch (name) {
                case "allowed" -> {
                    decided = true;
                    allowed = json.getValueAsBoolean();
                }
                case "status" -> status = json.getValueAsInt();
                case "policy" -> policy = json.getValueAsString();
                case "limit" -> limit = number(json, value);
                case "remaining" -> remaining = number(json, value);
                case "reset_at" -> resetAt = instant(json);
                case "retry_after" -> retryAfter = number(json, value);
                case "delay_ms" -> delay = json.getValueAsLong();
                case "warnings" -> warnings = texts(json);
                case "degraded" -> degraded = json.getValueAsBoolean();
                case "region" -> region = json.getValueAsString("");
                case "limits" -> limits = limits(json);
                case "type" -> type = json.getValueAsString();
                case "title" -> title = json.getValueAsString();
                case "detail" -> detail = json.getValueAsString();
                case "upgrade_url" -> upgradeUrl = json.getValueAsString();
                case "lease_id" -> leaseId = json.getValueAsString();
                case "units" -> units = json.getValueAsLong();
                case "ttl_ms" -> ttlMillis = json.getValueAsLong();
                case "unit_costs" -> unitCosts = numbers(json);
                default -> json.skipChildren();
            }
        }

        private static List<LimitStatus> limits(JsonParser json) throws IOException {
            List<LimitStatus> limits = new ArrayList<>();
            while (json.nextToken() == JsonToken.START_OBJECT) {
                limits.add(limit(json));
            }
            return List.copyOf(limits);
        }

        private static LimitStatus limit(JsonParser json) throws IOException {
            String policy = "";
            String key = "";
            boolean allowed = false;
            long limit = -1;
            long remaining = -1;
            Instant resetAt = null;
            boolean shadow = false;
            String decidedBy = "";
            String bound = "";
            long staleness = 0;
            for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
                JsonToken value = json.nextToken();
                switch (name) {
                    case "policy" -> policy = json.getValueAsString("");
                    case "key" -> key = json.getValueAsString("");
                    case "allowed" -> allowed = json.getValueAsBoolean();
                    case "limit" -> limit = number(json, value);
                    case "remaining" -> remaining = number(json, value);
                    case "reset_at" -> resetAt = instant(json);
                    case "shadow" -> shadow = json.getValueAsBoolean();
                    case "decided_by" -> decidedBy = json.getValueAsString("");
                    case "bound" -> bound = json.getValueAsString("");
                    case "staleness_ms" -> staleness = json.getValueAsLong();
                    default -> json.skipChildren();
                }
            }
            return new LimitStatus(
                    policy, key, allowed, limit, remaining, resetAt, shadow, decidedBy, bound, staleness);
        }

        private static long number(JsonParser json, JsonToken value) throws IOException {
            return value == JsonToken.VALUE_NUMBER_INT ? json.getLongValue() : -1;
        }

        private static @Nullable Instant instant(JsonParser json) throws IOException {
            String text = json.getValueAsString();
            if (text == null) {
                return null;
            }
            try {
                return Instant.parse(text);
            } catch (DateTimeException malformed) {
                throw new IOException("a time in the limiter's answer cannot be read: " + text, malformed);
            }
        }

        private static List<String> texts(JsonParser json) throws IOException {
            List<String> texts = new ArrayList<>();
            while (json.nextToken() == JsonToken.VALUE_STRING) {
                texts.add(json.getText());
            }
            return List.copyOf(texts);
        }

        private static Map<String, Long> numbers(JsonParser json) throws IOException {
            Map<String, Long> numbers = new HashMap<>();
            for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
                json.nextToken();
                numbers.put(name, json.getValueAsLong());
            }
            return Map.copyOf(numbers);
        }
    }
}
