package io.meridian.client;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One question to the limiter: who asks, for what, at which cost. Immutable. Two requests with the same attributes, endpoint, method,
 * headers and named policies are the same {@link Question}, whatever their cost: they share leases and remembered refusals. The limiter
 * judges the values; the client sends them as they are.
 */
public final class CheckRequest {
    private static final int BAD_REQUEST = 400;

    private final Question question;
    private final long cost;
    private final @Nullable String requestId;

    private CheckRequest(Question question, long cost, @Nullable String requestId) {
        this.question = question;
        this.cost = cost;
        this.requestId = requestId;
    }

    /** A request with cost 1 and no attributes, to be completed by the {@code with} methods of its builder. */
    public static Builder builder() {
        return new Builder();
    }

    public Map<String, String> attributes() {
        return question.attributes;
    }

    public String endpoint() {
        return question.endpoint;
    }

    public String method() {
        return question.method;
    }

    public Map<String, String> headers() {
        return question.headers;
    }

    public List<String> policies() {
        return question.policies;
    }

    public long cost() {
        return cost;
    }

    public @Nullable String requestId() {
        return requestId;
    }

    Question question() {
        return question;
    }

    /** Whether memory may decide it: it consumes something, and no earlier answer may have to be repeated. */
    boolean mayBeDecidedHere() {
        return cost > 0 && requestId == null;
    }

    @Override
    public String toString() {
        return question + " cost " + cost;
    }

    /** Question of the check, without the cost. Its hash is computed once, because every check looks it up. */
    static final class Question {
        private final Map<String, String> attributes;
        private final String endpoint;
        private final String method;
        private final Map<String, String> headers;
        private final List<String> policies;
        private final int hash;

        private Question(
                Map<String, String> attributes,
                String endpoint,
                String method,
                Map<String, String> headers,
                List<String> policies) {
            this.attributes = attributes;
            this.endpoint = endpoint;
            this.method = method;
            this.headers = headers;
            this.policies = policies;
            int result = attributes.hashCode();
            result = 31 * result + endpoint.hashCode();
            result = 31 * result + method.hashCode();
            result = 31 * result + headers.hashCode();
            this.hash = 31 * result + policies.hashCode();
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return this == other
                    || (other instanceof Question that
                            && hash == that.hash
                            && endpoint.equals(that.endpoint)
                            && method.equals(that.method)
                            && attributes.equals(that.attributes)
                            && headers.equals(that.headers)
                            && policies.equals(that.policies));
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public String toString() {
            return method + " " + endpoint + " by " + attributes.keySet();
        }
    }

    /** Builder of one request; not thread-safe. */
    public static final class Builder {
        private final Map<String, String> attributes = new TreeMap<>();
        private final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        private final List<String> policies = new ArrayList<>();
        private String endpoint = "";
        private String method = "";
        private long cost = 1;
        private @Nullable String requestId;

        private Builder() {}

        /** {@code user_id}, {@code api_key}, {@code ip}, {@code tenant}, or any name that a policy's key uses. */
        public Builder attribute(String name, String value) {
            attributes.put(name, Objects.requireNonNull(value, name));
            return this;
        }

        public Builder endpoint(String path) {
            endpoint = Objects.requireNonNull(path, "endpoint");
            return this;
        }

        public Builder method(String name) {
            method = Objects.requireNonNull(name, "method");
            return this;
        }

        /** A header that policies may select by. */
        public Builder header(String name, String value) {
            headers.put(name, Objects.requireNonNull(value, name));
            return this;
        }

        /** Units that the check consumes: from 0, which only asks, to 1,000,000,000. */
        public Builder cost(long units) {
            if (units < 0 || units > 1_000_000_000) {
                throw new IllegalArgumentException("cost must be from 0 to 1000000000, got " + units);
            }
            cost = units;
            return this;
        }

        /** A name under which a repeated call is answered again and charged once. Such a check is always sent. */
        public Builder requestId(String id) {
            requestId = id;
            return this;
        }

        /** Restricts the check to these policies. */
        public Builder policy(String id) {
            policies.add(id);
            return this;
        }

        /**
         * The request.
         *
         * @throws InvalidCheckException if a text of it cannot be written in Unicode: it would make a whole batch unreadable
         */
        public CheckRequest build() {
            attributes.forEach(Builder::requireUnicode);
            headers.forEach(Builder::requireUnicode);
            requireUnicode("endpoint", endpoint);
            requireUnicode("method", method);
            policies.forEach(each -> requireUnicode("policies", each));
            requireUnicode("request_id", requestId == null ? "" : requestId);
            Question question = new Question(
                    Collections.unmodifiableMap(new TreeMap<>(attributes)),
                    endpoint,
                    method,
                    headers.isEmpty() ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(headers)),
                    List.copyOf(policies));
            return new CheckRequest(question, cost, requestId);
        }

        private static void requireUnicode(String name, String text) {
            if (isBroken(name) || isBroken(text)) {
                throw new InvalidCheckException(BAD_REQUEST, "a check's texts must not have lone surrogates");
            }
        }

        private static boolean isBroken(String text) {
            for (int i = 0; i < text.length(); i++) {
                char at = text.charAt(i);
                if (Character.isHighSurrogate(at)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1))) {
                    i++;
                } else if (Character.isSurrogate(at)) {
                    return true;
                }
            }
            return false;
        }
    }
}
