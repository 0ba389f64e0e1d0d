package io.meridian.limiter.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import io.meridian.limiter.decide.CheckResult;
import io.meridian.limiter.decide.Limiter;
import io.meridian.limiter.decide.Limiter.RequestIdReused;
import io.meridian.model.match.Check;
import io.meridian.model.validation.FieldError;
import io.meridian.model.validation.ValidationException;
import io.meridian.model.validation.Validator;
import io.meridian.service.http.Problem;
import io.meridian.service.http.ProblemException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Reader of the bodies of calls: one JSON object each, nothing before or after it. */
public final class CheckJsonReader {
    private final long bytesMax;

    public CheckJsonReader(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** A check, or with {@code reserving} one that may also say for how long. */
    public CheckCall check(byte[] body, boolean reserving) {
        return read(body, json -> {
            CheckFields fields =
                    new CheckFields(json, "", reserving ? CheckFields.Kind.RESERVATION : CheckFields.Kind.CHECK);
            fields.read();
            return fields.call();
        });
    }

    /** A check, the units to lease of its limits, and for how long. */
    public LeaseCall lease(byte[] body) {
        return read(body, json -> {
            CheckFields fields = new CheckFields(json, "", CheckFields.Kind.LEASE);
            fields.read();
            return fields.lease();
        });
    }

    public List<BatchItem> batch(byte[] body) {
        return read(body, BatchFields::read);
    }

    /** The one field of a body that has but one, a whole number within bounds. */
    public long number(byte[] body, String field, long min, long max) {
        return read(body, json -> NumberField.read(json, field, min, max));
    }

    private <T> T read(byte[] body, Form<T> form) {
        if (body.length > bytesMax) {
            throw ProblemException.of(
                    ErrorCode.BODY_TOO_LARGE, "the body must have at most " + bytesMax + " bytes, got " + body.length);
        }
        try (JsonParser json = ApiJson.parser(body)) {
            JsonToken first = json.nextToken();
            if (first != JsonToken.START_OBJECT) {
                throw ProblemException.of(
                        ErrorCode.MALFORMED_BODY,
                        "the body must be a JSON object, got " + (first == null ? "nothing" : ApiJson.shown(json)));
            }
            T read = form.read(json);
            if (json.nextToken() != null) {
                throw ProblemException.of(
                        ErrorCode.MALFORMED_BODY,
                        "the body must end after its JSON object, got " + ApiJson.shown(json) + ApiJson.position(json));
            }
            return read;
        } catch (IOException malformed) {
            throw ProblemException.of(ErrorCode.MALFORMED_BODY, "the body must be JSON: " + ApiJson.reason(malformed));
        }
    }

    /** Reader of a body of one number, like {@code {"cost": 3}}. */
    static final class NumberField {
        static final long ABSENT = Long.MIN_VALUE;

        private NumberField() {}

        static long read(JsonParser json, String field, long min, long max) throws IOException {
            boolean seen = false;
            long number = ABSENT;
            for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
                if (!name.equals(field)) {
                    throw ApiJson.unknown(name);
                }
                if (seen) {
                    throw ApiJson.duplicate(name);
                }
                seen = true;
                number = ApiJson.nextNumber(json, "", field, ABSENT);
            }
            if (number < min || number > max) {
                String got = number == ABSENT ? "nothing" : Long.toString(number);
                throw ProblemException.of(ErrorCode.INVALID, field, got, "must be from " + min + " to " + max);
            }
            return number;
        }
    }

    /** Reader of an object whose first token was read. */
    private interface Form<T> {
        T read(JsonParser json) throws IOException;
    }

    /** Reader of a batch. An element that is refused is passed over to its end, and the next one is read. */
    static final class BatchFields {
        static final int CHECKS_MAX = 100;
        private static final String CHECKS = "checks";
        private static final String COUNT = "must be a list of 1 to " + CHECKS_MAX + " checks";

        private BatchFields() {}

        public static List<BatchItem> read(JsonParser json) throws IOException {
            List<BatchItem> items = null;
            for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
                if (!name.equals(CHECKS)) {
                    throw ApiJson.unknown(name);
                }
                if (items != null) {
                    throw ApiJson.duplicate(name);
                }
                items = items(json);
            }
            if (items == null || items.isEmpty()) {
                throw ProblemException.of(ErrorCode.INVALID, CHECKS, items == null ? "nothing" : "none", COUNT);
            }
            return items;
        }

        private static @Nullable List<BatchItem> items(JsonParser json) throws IOException {
            JsonToken token = json.nextToken();
            if (token == JsonToken.VALUE_NULL) {
                return null;
            }
            if (token != JsonToken.START_ARRAY) {
                throw ApiJson.wrongType(json, CHECKS, COUNT);
            }
            JsonStreamContext list = json.getParsingContext();
            List<BatchItem> items = new ArrayList<>();
            while (json.nextToken() != JsonToken.END_ARRAY) {
                if (items.size() == CHECKS_MAX) {
                    throw ProblemException.of(ErrorCode.INVALID, CHECKS, "more than " + CHECKS_MAX, COUNT);
                }
                items.add(item(json, list, "checks[" + items.size() + "]"));
            }
            return items;
        }

        private static BatchItem item(JsonParser json, JsonStreamContext list, String name) throws IOException {
            try {
                if (json.currentToken() != JsonToken.START_OBJECT) {
                    throw ApiJson.wrongType(json, name, "must be a check");
                }
                CheckFields fields = new CheckFields(json, name + ".", CheckFields.Kind.CHECK);
                fields.read();
                return new BatchItem.Legible(fields.call());
            } catch (ProblemException refusal) {
                while (json.getParsingContext() != list) {
                    json.nextToken();
                }
                return new BatchItem.Illegible(refusal.problem());
            }
        }
    }

    /** One element of a batch: a check to make, or why it cannot be made. Each stands alone. */
    public sealed interface BatchItem {
        record Legible(CheckCall call) implements BatchItem {}

        record Illegible(Problem problem) implements BatchItem {}
    }

    /**
     * Reader of the fields of one check, token by token in whatever order they come. A field that does not exist, comes twice or
     * has the wrong type is refused at once; values that break a rule are refused all together.
     */
    static final class CheckFields {
        private static final String ID_RULE = "must be text of 1 to " + CheckCall.REQUEST_ID_MAX + " characters";
        private static final String TTL_RULE = "must be from 1 to ";
        private static final String POLICIES_RULE =
                "must be a list of 1 to " + Check.POLICIES_MAX + " ids of policies, or left out for all";
        private static final Duration TTL_DEFAULT = Duration.ofMillis(CheckCall.TTL_MS_DEFAULT);

        private final JsonParser json;
        private final String path;
        private final Kind kind;
        private int seen;
        private Map<String, String> attributes = Map.of();
        private String endpoint = "";
        private String method = "";
        private Map<String, String> headers = Map.of();
        private long cost = 1;
        private @Nullable String requestId;
        private List<String> policies = List.of();
        private long ttlMs;
        private long units = NumberField.ABSENT;

        /** Kind of body that has the fields of a check and some more. */
        enum Kind {
            CHECK(CheckCall.TTL_MS_DEFAULT, CheckCall.TTL_MS_MAX),
            RESERVATION(CheckCall.TTL_MS_DEFAULT, CheckCall.TTL_MS_MAX),
            LEASE(LeaseCall.TTL_MS_DEFAULT, LeaseCall.TTL_MS_MAX);

            final long ttlMsDefault;
            final long ttlMsMax;

            Kind(long ttlMsDefault, long ttlMsMax) {
                this.ttlMsDefault = ttlMsDefault;
                this.ttlMsMax = ttlMsMax;
            }
        }

        /** @param path what to put before a field's name to name it from the top */
        CheckFields(JsonParser json, String path, Kind kind) {
            this.json = json;
            this.path = path;
            this.kind = kind;
            this.ttlMs = kind.ttlMsDefault;
        }

        /** Reads the object that has just begun, to its end. */
        public void read() throws IOException {
            for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
                switch (name) {
                    case "attributes" -> attributes = once(0, name).texts(name);
                    case "endpoint" -> endpoint = once(1, name).text(name);
                    case "method" -> method = once(2, name).text(name);
                    case "headers" -> headers = once(3, name).texts(name);
                    case "cost" -> cost = once(4, name).number(name, 1);
                    case "request_id" -> requestId = ApiJson.nextText(once(5, name).json, path, name);
                    case "ttl_ms" -> ttlMs = once(6, name).number(name, kind.ttlMsDefault);
                    case "policies" -> policies = once(7, name).list(name);
                    case "units" -> units = once(8, name).number(name, NumberField.ABSENT);
                    default -> throw ApiJson.unknown(path + name);
                }
            }
        }

        /** Call built from the fields that were read. */
        public CheckCall call() {
            boolean idFits = requestId == null || isRequestId(requestId);
            boolean ttlFits = ttlMs >= 1 && ttlMs <= kind.ttlMsMax;
            List<FieldError> broken = List.of();
            try {
                Check check = new Check(attributes, endpoint, method, headers, "", cost, policies);
                if (idFits && ttlFits) {
                    boolean usual = ttlMs == CheckCall.TTL_MS_DEFAULT;
                    return new CheckCall(check, requestId, usual ? TTL_DEFAULT : Duration.ofMillis(ttlMs));
                }
            } catch (ValidationException invalid) {
                broken = invalid.errors();
            }
            throw refused(broken, idFits, ttlFits);
        }

        /** Lease built from the fields that were read. */
        public LeaseCall lease() {
            long least = Math.max(1, cost);
            boolean unitsFit = units >= least && units <= LeaseCall.UNITS_MAX;
            if (!unitsFit || cost < 1) {
                ProblemException others = null;
                try {
                    call();
                } catch (ProblemException broken) {
                    others = broken;
                }
                throw leaseRefused(others == null ? List.of() : others.problem().errors(), unitsFit, least);
            }
            CheckCall call = call();
            return new LeaseCall(call.check(), units, call.ttl());
        }

        private ProblemException leaseRefused(List<FieldError> others, boolean unitsFit, long least) {
            List<FieldError> broken = new ArrayList<>(others);
            if (cost == 0) {
                broken.add(new FieldError("cost", "0", "must be at least 1 for a lease"));
            }
            if (!unitsFit) {
                String got = units == NumberField.ABSENT ? "nothing" : Long.toString(units);
                String from = least == 1 ? "1" : "the cost, " + least + ",";
                broken.add(new FieldError("units", got, "must be from " + from + " to " + LeaseCall.UNITS_MAX));
            }
            return new ProblemException(Problem.of(ErrorCode.INVALID, broken));
        }

        private ProblemException refused(List<FieldError> ofCheck, boolean idFits, boolean ttlFits) {
            List<FieldError> broken = new ArrayList<>();
            ofCheck.forEach(each -> broken.add(new FieldError(path + each.field(), each.value(), each.rule())));
            if (!idFits) {
                broken.add(new FieldError(path + "request_id", String.valueOf(requestId), ID_RULE));
            }
            if (!ttlFits) {
                broken.add(new FieldError(path + "ttl_ms", Long.toString(ttlMs), TTL_RULE + kind.ttlMsMax));
            }
            return new ProblemException(Problem.of(ErrorCode.INVALID, broken));
        }

        private static boolean isRequestId(String text) {
            return !text.isEmpty() && text.length() <= CheckCall.REQUEST_ID_MAX && Validator.isPlain(text);
        }

        private CheckFields once(int bit, String name) {
            if ((bit == 6 && kind == Kind.CHECK) || (bit == 8 && kind != Kind.LEASE)) {
                throw ApiJson.unknown(path + name);
            }
            if ((seen & 1 << bit) != 0) {
                throw ApiJson.duplicate(path + name);
            }
            seen |= 1 << bit;
            return this;
        }

        private String text(String field) throws IOException {
            String text = ApiJson.nextText(json, path, field);
            return text == null ? "" : text;
        }

        private long number(String field, long absent) throws IOException {
            return ApiJson.nextNumber(json, path, field, absent);
        }

        /** An empty list would mean nothing or everything, so it is refused. */
        private List<String> list(String field) throws IOException {
            JsonToken token = json.nextToken();
            if (token == JsonToken.VALUE_NULL) {
                return List.of();
            }
            if (token != JsonToken.START_ARRAY) {
                throw ApiJson.wrongType(json, path + field, POLICIES_RULE);
            }
            List<String> texts = new ArrayList<>();
            while (json.nextToken() != JsonToken.END_ARRAY) {
                if (texts.size() == Check.POLICIES_MAX) {
                    throw ProblemException.of(
                            ErrorCode.INVALID, path + field, "more than " + Check.POLICIES_MAX, POLICIES_RULE);
                }
                if (json.currentToken() != JsonToken.VALUE_STRING) {
                    throw ApiJson.wrongType(json, path + field + "[" + texts.size() + "]", "must be a text");
                }
                texts.add(json.getText());
            }
            if (texts.isEmpty()) {
                throw ProblemException.of(ErrorCode.INVALID, path + field, "none", POLICIES_RULE);
            }
            return texts;
        }

        private Map<String, String> texts(String field) throws IOException {
            JsonToken token = json.nextToken();
            if (token == JsonToken.VALUE_NULL) {
                return Map.of();
            }
            if (token != JsonToken.START_OBJECT) {
                throw ApiJson.wrongType(json, path + field, "must be an object of texts");
            }
            Map<String, String> texts = new HashMap<>();
            for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
                String text = json.nextTextValue();
                if (text == null && json.currentToken() != JsonToken.VALUE_NULL) {
                    throw ApiJson.wrongType(json, path + field + "." + name, "must be a text");
                }
                if (text != null && texts.put(name, text) != null) {
                    throw ApiJson.duplicate(path + field + "." + name);
                }
            }
            return texts;
        }
    }

    /** A wish for a client lease as a caller sent it: the first check, the units wanted, and for how long. */
    public record LeaseCall(Check check, long units, Duration ttl) {
        public static final long UNITS_MAX = 1_000_000;
        static final long TTL_MS_MAX = 60_000;
        static final long TTL_MS_DEFAULT = 1_000;
    }

    /**
     * A check as a caller sent it.
     *
     * @param requestId the caller's name for the request, null if it gave none
     * @param ttl how long a reservation holds
     */
    public record CheckCall(Check check, @Nullable String requestId, Duration ttl) {
        static final int REQUEST_ID_MAX = 128;
        static final long TTL_MS_MAX = 86_400_000;
        static final long TTL_MS_DEFAULT = 60_000;
        private static final String REUSED_RULE = "must be new: another check used it a short time ago";

        public CompletionStage<CheckResult> decidedBy(Limiter limiter) {
            return requestId == null ? limiter.check(check) : limiter.check(check, requestId);
        }

        /** The refusal of an id that another check has; {@code path} is put before the field's name. */
        public static Problem refusal(RequestIdReused reused, String path) {
            return Problem.of(
                    ErrorCode.INVALID, List.of(new FieldError(path + "request_id", reused.requestId(), REUSED_RULE)));
        }
    }
}
