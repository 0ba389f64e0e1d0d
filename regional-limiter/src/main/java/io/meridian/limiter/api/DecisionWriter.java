package io.meridian.limiter.api;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.SerializedString;
import io.meridian.limiter.decide.Centre;
import io.meridian.limiter.decide.DecidedBy;
import io.meridian.limiter.decide.Ruling;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.decision.Decision.LimitDecision;
import io.meridian.model.decision.Decision;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Coordination.Scope;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes a ruling's members into an object that is open, in the order of the contract. */
final class DecisionWriter {
    private static final SerializedString ALLOWED = new SerializedString("allowed");
    private static final SerializedString POLICY = new SerializedString("policy");
    private static final SerializedString KEY = new SerializedString("key");
    private static final SerializedString LIMIT = new SerializedString("limit");
    private static final SerializedString REMAINING = new SerializedString("remaining");
    private static final SerializedString RESET_AT = new SerializedString("reset_at");
    private static final SerializedString RETRY_AFTER = new SerializedString("retry_after");
    private static final SerializedString DELAY_MS = new SerializedString("delay_ms");
    private static final SerializedString WARNINGS = new SerializedString("warnings");
    private static final SerializedString DEGRADED = new SerializedString("degraded");
    private static final SerializedString REGION = new SerializedString("region");
    private static final SerializedString LIMITS = new SerializedString("limits");
    private static final SerializedString SHADOW = new SerializedString("shadow");
    private static final SerializedString DECIDED_BY = new SerializedString("decided_by");
    private static final SerializedString BOUND = new SerializedString("bound");
    private static final SerializedString STALENESS_MS = new SerializedString("staleness_ms");

    private static final SerializedString BOUND_UNITS = new SerializedString("bound_units");
    private static final SerializedString UPGRADE_URL = new SerializedString("upgrade_url");

    private final SerializedString region;
    private final Centre centre;

    DecisionWriter(String region, Centre centre) {
        this.region = new SerializedString(region);
        this.centre = centre;
    }

    void write(JsonGenerator json, Ruling ruling) throws IOException {
        if (ruling instanceof Ruling.Decided decided) {
            write(json, decided);
        } else if (ruling instanceof Ruling.Undecided undecided) {
            writeUndecided(json, undecided.limit());
        } else {
            writeHead(json, false, null, null);
            writeTail(json, 0, 0, List.of(), false);
            json.writeEndArray();
        }
    }

    private void write(JsonGenerator json, Ruling.Decided decided) throws IOException {
        Decision decision = decided.decision();
        LimitDecision deciding = decision.deciding();
        writeHead(
                json,
                decision instanceof Decision.Allowed,
                deciding == null ? null : deciding.limit(),
                deciding == null ? null : deciding.standing());
        List<LimitDecision> evaluated = decision.limits();
        writeTail(json, Waits.retryAfterSeconds(decision), Waits.delayMs(decision), evaluated, decided.degraded());
        for (int i = 0; i < evaluated.size(); i++) {
            LimitDecision each = evaluated.get(i);
            writeLimit(
                    json,
                    each.limit(),
                    each.admitted(),
                    each.standing(),
                    each.shadow(),
                    decided.decidedBy().get(i));
        }
        json.writeEndArray();
        if (decided.upgradeUrl().isPresent()) {
            json.writeFieldName(UPGRADE_URL);
            json.writeString(decided.upgradeUrl().get());
        }
    }

    private void writeUndecided(JsonGenerator json, Limit limit) throws IOException {
        writeHead(json, false, limit, null);
        writeTail(json, Waits.UNDECIDED_SECONDS, 0, List.of(), true);
        writeLimit(json, limit, false, null, false, DecidedBy.FALLBACK);
        json.writeEndArray();
    }

    private static void writeHead(
            JsonGenerator json, boolean allowed, @Nullable Limit limit, @Nullable Standing standing)
            throws IOException {
        json.writeFieldName(ALLOWED);
        json.writeBoolean(allowed);
        json.writeFieldName(POLICY);
        json.writeString(limit == null ? null : limit.policy().id());
        writeStanding(json, limit, standing);
    }

    /** All up to the limits themselves, whose list is left open. */
    private void writeTail(
            JsonGenerator json, long retryAfterSeconds, long delayMs, List<LimitDecision> evaluated, boolean degraded)
            throws IOException {
        json.writeFieldName(RETRY_AFTER);
        if (retryAfterSeconds > 0) {
            json.writeNumber(retryAfterSeconds);
        } else {
            json.writeNull();
        }
        json.writeFieldName(DELAY_MS);
        json.writeNumber(delayMs);
        json.writeFieldName(WARNINGS);
        json.writeStartArray();
        for (int i = 0; i < evaluated.size(); i++) {
            String warning = Warnings.of(evaluated.get(i));
            if (warning != null) {
                json.writeString(warning);
            }
        }
        json.writeEndArray();
        json.writeFieldName(DEGRADED);
        json.writeBoolean(degraded);
        json.writeFieldName(REGION);
        json.writeString(region);
        json.writeFieldName(LIMITS);
        json.writeStartArray();
    }

    private void writeLimit(
            JsonGenerator json,
            Limit limit,
            boolean allowed,
            @Nullable Standing standing,
            boolean shadow,
            DecidedBy decidedBy)
            throws IOException {
        json.writeStartObject();
        json.writeFieldName(POLICY);
        json.writeString(limit.policy().id());
        json.writeFieldName(KEY);
        json.writeString(limit.key());
        json.writeFieldName(ALLOWED);
        json.writeBoolean(allowed);
        writeStanding(json, limit, standing);
        json.writeFieldName(SHADOW);
        json.writeBoolean(shadow);
        json.writeFieldName(DECIDED_BY);
        json.writeString(LimitWords.decidedBy(decidedBy));
        json.writeFieldName(BOUND);
        json.writeString(LimitWords.bound(limit, decidedBy));
        json.writeFieldName(STALENESS_MS);
        if (limit.policy().coordination().scope() == Scope.REGIONAL) {
            json.writeNumber(0);
        } else {
            json.writeNumber(centre.stalenessMillis(limit));
            json.writeFieldName(BOUND_UNITS);
            json.writeNumber(centre.boundUnits(limit));
        }
        json.writeEndObject();
    }

    private static void writeStanding(JsonGenerator json, @Nullable Limit limit, @Nullable Standing standing)
            throws IOException {
        json.writeFieldName(LIMIT);
        if (limit == null) {
            json.writeNull();
        } else {
            json.writeNumber(standing == null ? limit.quota().capacity() : standing.limit());
        }
        json.writeFieldName(REMAINING);
        if (standing == null) {
            json.writeNull();
        } else {
            json.writeNumber(standing.remaining());
        }
        json.writeFieldName(RESET_AT);
        json.writeString(standing == null ? null : Times.text(standing.resetAtMicros()));
    }
}
