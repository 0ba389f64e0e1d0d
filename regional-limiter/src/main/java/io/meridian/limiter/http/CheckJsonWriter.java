package io.meridian.limiter.http;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.SerializedString;
import io.meridian.limiter.caller.Caller;
import io.meridian.limiter.decide.CheckResult;
import io.meridian.limiter.decide.CheckResult.DecidedBy;
import io.meridian.limiter.region.Ports.LeaderContact;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.decision.Decision;
import io.meridian.model.decision.Decision.LimitDecision;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Coordination.Scope;
import io.meridian.model.usage.SharingMode;
import java.io.IOException;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writer of the members of a result, in the order of the contract, into an object that is open. */
final class CheckJsonWriter {
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
    private final LeaderContact leader;

    CheckJsonWriter(String region, LeaderContact leader) {
        this.region = new SerializedString(region);
        this.leader = leader;
    }

    void write(JsonGenerator json, CheckResult ruling) throws IOException {
        if (ruling instanceof CheckResult.Decided decided) {
            write(json, decided);
        } else if (ruling instanceof CheckResult.Undecided undecided) {
            writeUndecided(json, undecided.limit());
        } else {
            writeHead(json, false, null, null);
            writeTail(json, 0, 0, List.of(), false);
            json.writeEndArray();
        }
    }

    private void write(JsonGenerator json, CheckResult.Decided decided) throws IOException {
        Decision decision = decided.decision();
        LimitDecision deciding = decision.deciding();
        writeHead(
                json,
                decision instanceof Decision.Allowed,
                deciding == null ? null : deciding.limit(),
                deciding == null ? null : deciding.standing());
        List<LimitDecision> evaluated = decision.limits();
        writeTail(
                json,
                AnswerTimes.retryAfterSeconds(decision),
                AnswerTimes.delayMs(decision),
                evaluated,
                decided.degraded());
        for (int i = 0; i < evaluated.size(); i++) {
            LimitDecision each = evaluated.get(i);
            writeLimit(
                    json,
                    each.limit(),
                    each.admitted(),
                    each.standing(),
                    each.shadow(),
                    decided.limits().get(i).decidedBy());
        }
        json.writeEndArray();
        if (decided.upgradeUrl().isPresent()) {
            json.writeFieldName(UPGRADE_URL);
            json.writeString(decided.upgradeUrl().get());
        }
    }

    private void writeUndecided(JsonGenerator json, Limit limit) throws IOException {
        writeHead(json, false, limit, null);
        writeTail(json, AnswerTimes.UNDECIDED_SECONDS, 0, List.of(), true);
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
        json.writeString(LimitTexts.decidedBy(decidedBy));
        json.writeFieldName(BOUND);
        json.writeString(LimitTexts.bound(limit, decidedBy));
        json.writeFieldName(STALENESS_MS);
        if (limit.policy().coordination().scope() == Scope.REGIONAL) {
            json.writeNumber(0);
        } else {
            json.writeNumber(leader.stalenessMillis(limit));
            json.writeFieldName(BOUND_UNITS);
            json.writeNumber(leader.boundUnits(limit));
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
        json.writeString(standing == null ? null : AnswerTimes.text(standing.resetAtMicros()));
    }

    /** Texts for the source of a limit's result and for the bound it promises. */
    static final class LimitTexts {
        static final SerializedString EXACT = new SerializedString("exact");
        static final SerializedString CONVERGE = new SerializedString("converge");
        static final SerializedString ESCROW = new SerializedString("escrow");
        static final SerializedString NONE = new SerializedString("none");
        private static final List<SerializedString> WEAKEST_FIRST = List.of(NONE, CONVERGE, ESCROW, EXACT);
        private static final Map<DecidedBy, SerializedString> DECIDED_BY = new EnumMap<>(DecidedBy.class);

        static {
            for (DecidedBy each : DecidedBy.values()) {
                DECIDED_BY.put(each, new SerializedString(each.text()));
            }
        }

        private LimitTexts() {}

        @SuppressWarnings("NullAway") // every constant is there
        static SerializedString decidedBy(DecidedBy by) {
            return DECIDED_BY.get(by);
        }

        /** The weakest bound of all limits of a decision; none where no limit applies. */
        static SerializedString weakest(CheckResult.Decided decided) {
            return decided.limits().stream()
                    .map(each -> bound(each.evaluated().limit(), each.decidedBy()))
                    .min(Comparator.comparing(WEAKEST_FIRST::indexOf))
                    .orElse(NONE);
        }

        /**
         * The bound a limit promises. A region's counter is exact, but for the interpolated estimate; an instance on its own
         * promises nothing. A global limit promises what its mode does.
         */
        static SerializedString bound(Limit limit, DecidedBy by) {
            if (by == DecidedBy.FALLBACK) {
                return NONE;
            }
            return switch (SharingMode.of(limit.policy())) {
                case REGIONAL ->
                    limit.policy().limitSpec().algorithm() != Algorithm.SLIDING_WINDOW_ESTIMATE ? EXACT : NONE;
                case CONVERGE, CONVERGE_RATE -> CONVERGE;
                case ESCROW -> ESCROW;
            };
        }
    }

    /** Warnings of limits before they refuse anything. */
    static final class Warnings {
        private Warnings() {}

        /** Null if there is nothing to warn of. */
        static @Nullable String of(LimitDecision evaluated) {
            String id = evaluated.limit().policy().id();
            if (evaluated.shadow() && !evaluated.admitted()) {
                return "policy " + id + " would deny this request, but only logs";
            }
            if (!evaluated.warns()) {
                return null;
            }
            Standing standing = evaluated.standing();
            long percent = (standing.limit() - standing.remaining()) * 100 / standing.limit();
            return "policy " + id + " has " + percent + " % of its limit used";
        }
    }

    /** Members of an answer for the identity of its caller. */
    static final class CallerFields {
        /** In the order in which they name a client. */
        private static final List<String> ATTRIBUTES = List.of("api_key", "user_id", "ip");

        private CallerFields() {}

        /** By what each attribute of the caller is known: {@code "identity": {"user_id": "jwt", "ip": "peer"}}. */
        static void write(JsonGenerator json, Caller caller) throws IOException {
            json.writeObjectFieldStart("identity");
            for (String attribute : ATTRIBUTES) {
                Caller.Source source = caller.source(attribute);
                if (source != null) {
                    json.writeStringField(attribute, source.toString());
                }
            }
            json.writeEndObject();
        }

        static void writeClient(JsonGenerator json, Caller caller, Optional<String> tier) throws IOException {
            json.writeStringField("client_id", caller.clientId());
            json.writeStringField("tier", tier.orElse(null));
        }
    }
}
