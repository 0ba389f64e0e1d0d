package io.meridian.limiter.decisionlog;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.meridian.limiter.decide.DecidedBy;
import io.meridian.limiter.decide.Ruling;
import io.meridian.limiter.metrics.CheckOutcome;
import io.meridian.model.decision.Decision.LimitDecision;
import io.meridian.model.match.Check;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.EndpointPath;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One logged decision. It holds texts that are cut to a length and never the request, which may be large.
 *
 * @param ip the client's address, empty if it was not told
 * @param limit the limit that decides, null if none does
 */
record DecisionRecord(
        long atMicros,
        CheckOutcome outcome,
        String ip,
        String endpoint,
        String method,
        long cost,
        boolean degraded,
        @Nullable DecidingLimit limit) {
    static final int TEXT_MAX = 512;
    private static final JsonFactory JSON = new JsonFactory();

    /** The limit that decides; of one that could not be decided nothing is known but its policy and key. */
    record DecidingLimit(
            String policy,
            String key,
            long limit,
            long remaining,
            @Nullable DecidedBy decidedBy) {}

    /** @param wallMicros the time of a decision that says none itself */
    static DecisionRecord of(Ruling ruling, Check check, CheckOutcome outcome, long wallMicros) {
        boolean decided = ruling instanceof Ruling.Decided;
        return new DecisionRecord(
                decided ? ((Ruling.Decided) ruling).nowMicros() : wallMicros,
                outcome,
                cut(check.attributes().getOrDefault("ip", "")),
                endpoint(check.segments()),
                check.method(),
                check.cost(),
                decided ? ((Ruling.Decided) ruling).degraded() : ruling instanceof Ruling.Undecided,
                deciding(ruling));
    }

    @SuppressWarnings("ReferenceEquality") // the deciding limit is one of the evaluated
    private static @Nullable DecidingLimit deciding(Ruling ruling) {
        if (ruling instanceof Ruling.Undecided undecided) {
            return limit(undecided.limit(), undecided.limit().quota().capacity(), 0, null);
        }
        if (!(ruling instanceof Ruling.Decided decided)) {
            return null;
        }
        LimitDecision deciding = decided.decision().deciding();
        List<LimitDecision> evaluated = decided.decision().limits();
        for (int i = 0; i < evaluated.size(); i++) {
            if (evaluated.get(i) == deciding) {
                return limit(
                        deciding.limit(),
                        deciding.standing().limit(),
                        deciding.standing().remaining(),
                        decided.decidedBy().get(i));
            }
        }
        return null;
    }

    private static DecidingLimit limit(Limit limit, long units, long remaining, @Nullable DecidedBy by) {
        return new DecidingLimit(limit.policy().id(), cut(limit.key()), units, remaining, by);
    }

    /** The line of the log. */
    String line(String region, double sample) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField(
                    "at",
                    Instant.ofEpochSecond(0, TimeUnit.MICROSECONDS.toNanos(atMicros))
                            .toString());
            json.writeStringField("region", region);
            json.writeStringField("outcome", outcome.name().toLowerCase(Locale.ROOT));
            if (limit != null) {
                json.writeStringField("policy", limit.policy);
                json.writeStringField("key", limit.key);
                json.writeNumberField("limit", limit.limit);
                json.writeNumberField("remaining", limit.remaining);
                if (limit.decidedBy != null) {
                    json.writeStringField("decided_by", limit.decidedBy.text());
                }
            }
            if (!ip.isEmpty()) {
                json.writeStringField("ip", ip);
            }
            json.writeStringField("endpoint", endpoint);
            json.writeStringField("method", method);
            json.writeNumberField("cost", cost);
            json.writeBooleanField("degraded", degraded);
            json.writeNumberField("sample", sample);
            json.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return text.toString();
    }

    private static String endpoint(List<String> segments) {
        return cut(EndpointPath.text(segments));
    }

    private static String cut(String text) {
        if (text.length() <= TEXT_MAX) {
            return text;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(TEXT_MAX - 1)) ? TEXT_MAX - 1 : TEXT_MAX);
    }
}
