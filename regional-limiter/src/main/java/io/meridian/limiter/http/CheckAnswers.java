package io.meridian.limiter.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.meridian.limiter.LimiterConfig;
import io.meridian.limiter.LimiterConfig.ApiConfig;
import io.meridian.limiter.caller.Caller;
import io.meridian.limiter.decide.CheckResult;
import io.meridian.limiter.decide.Limiter.ClientLease;
import io.meridian.limiter.decide.Limiter.Reservation;
import io.meridian.limiter.http.CheckJsonWriter.CallerFields;
import io.meridian.limiter.http.CheckJsonWriter.LimitTexts;
import io.meridian.limiter.http.RateLimitHeaders.RateLimitFields.RateLimitDraft;
import io.meridian.limiter.region.Ports.LeaderContact;
import io.meridian.model.decision.Decision;
import io.meridian.model.decision.Decision.LimitDecision;
import io.meridian.service.http.Problem;
import io.meridian.service.http.Redaction;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Factory of answers from the results of checks. */
@Singleton
public class CheckAnswers {
    private static final int OK = 200;
    private static final int CREATED = 201;

    private final CheckJsonWriter decisions;
    private final RateLimitHeaders headers;

    CheckAnswers(LimiterConfig limiter, ApiConfig api, LeaderContact leader) {
        this.decisions = new CheckJsonWriter(limiter.region(), leader);
        this.headers = new RateLimitHeaders(RateLimitDraft.parse(api.ratelimitDraft()));
    }

    /** The answer to whoever asks whether a request may go on. */
    public HttpAnswer check(CheckResult ruling) {
        return answer(ruling, Refused.of(ruling), OK, null);
    }

    /** The answer to a gateway that names a client. It passes on the status and headers, so these carry warnings. */
    public HttpAnswer gateway(CheckResult ruling) {
        return gateway(ruling, null);
    }

    /** The answer to a gateway that forwards a raw request: it says how the caller is known as well. */
    public HttpAnswer forwarded(CheckResult ruling, Caller caller) {
        HttpAnswer answer = gateway(ruling, json -> CallerFields.write(json, caller));
        if (caller.isUnverified()) {
            answer.headers().add(RateLimitHeaders.IDENTITY, RateLimitHeaders.UNVERIFIED);
        }
        return answer;
    }

    private HttpAnswer gateway(CheckResult ruling, ApiJson.@Nullable Document first) {
        Refused refused = Refused.of(ruling);
        HttpAnswer answer = refused == null
                ? new HttpAnswer(OK, HttpAnswer.JSON, headers.of(ruling, false), new byte[0])
                : answer(ruling, refused, OK, first);
        headers.addWarnings(answer.headers(), ruling);
        return answer;
    }

    /** How the limits of the caller itself stand, and who it is taken for. */
    public HttpAnswer ownStanding(CheckResult ruling, Caller caller, Optional<String> tier) {
        Refused refused = ruling instanceof CheckResult.Decided ? null : Refused.of(ruling);
        return answer(ruling, refused, OK, json -> {
            CallerFields.writeClient(json, caller, tier);
            CallerFields.write(json, caller);
        });
    }

    /** The answer to whoever wants to know how limits stand: a limit that is used up is no error then. */
    public HttpAnswer standing(CheckResult ruling) {
        return answer(ruling, ruling instanceof CheckResult.Decided ? null : Refused.of(ruling), OK, null);
    }

    public HttpAnswer reservation(Reservation reservation) {
        String id = reservation.id().orElse(null);
        return answer(
                reservation.ruling(),
                Refused.of(reservation.ruling()),
                CREATED,
                id == null ? null : json -> json.writeStringField("reservation_id", id));
    }

    /** The answer to a client that gets a lease: what it holds, and the decision on its first check. */
    public HttpAnswer lease(ClientLease.Granted lease) {
        return answer(lease.ruling(), null, CREATED, json -> {
            json.writeStringField("lease_id", lease.id());
            json.writeNumberField("units", lease.units());
            json.writeStringField("expires_at", AnswerTimes.exactText(lease.untilMicros()));
            json.writeNumberField("ttl_ms", Math.max(0, lease.ttlMicros() / 1_000));
            json.writeStringField("bound", LimitTexts.weakest(lease.ruling()).getValue());
            json.writeObjectFieldStart("unit_costs");
            for (LimitDecision each : lease.ruling().decision().limits()) {
                json.writeNumberField(each.limit().policy().id(), each.limit().unitCost());
            }
            json.writeEndObject();
        });
    }

    public HttpAnswer batch(List<BatchResult> results) {
        return HttpAnswer.json(OK, ApiJson.write(json -> {
            json.writeStartObject();
            json.writeArrayFieldStart("results");
            for (BatchResult result : results) {
                json.writeStartObject();
                if (result instanceof BatchResult.Ruled ruled) {
                    writeRuled(json, ruled.ruling());
                } else {
                    ((BatchResult.NotAsked) result).problem().write(json);
                }
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }));
    }

    private void writeRuled(JsonGenerator json, CheckResult ruling) throws IOException {
        decisions.write(json, ruling);
        Refused refused = Refused.of(ruling);
        if (refused == null) {
            json.writeNumberField("status", OK);
        } else {
            Problem.members(json, refused.code(), refused.code().status(), refused.detail());
        }
    }

    /**
     * @param first members that go before those of the decision
     */
    private HttpAnswer answer(
            CheckResult ruling, @Nullable Refused refused, int status, ApiJson.@Nullable Document first) {
        byte[] body = ApiJson.write(json -> {
            json.writeStartObject();
            if (first != null) {
                first.write(json);
            }
            decisions.write(json, ruling);
            if (refused != null) {
                Problem.members(json, refused.code(), refused.code().status(), refused.detail());
            }
            json.writeEndObject();
        });
        return refused == null
                ? new HttpAnswer(status, HttpAnswer.JSON, headers.of(ruling, false), body)
                : new HttpAnswer(refused.code().status(), HttpAnswer.PROBLEM, headers.of(ruling, true), body);
    }

    /** Problem members of an answer that refuses. */
    record Refused(ErrorCode code, String detail) {
        /** Null if the result allows. */
        static @Nullable Refused of(CheckResult ruling) {
            if (ruling instanceof CheckResult.Decided decided) {
                return of(decided.decision());
            }
            if (ruling instanceof CheckResult.Listed listed) {
                String who = Redaction.text(listed.identifierType() + "=" + listed.identifier());
                return new Refused(ErrorCode.DENY_LISTED, who + " is on the deny list");
            }
            CheckResult.Undecided undecided = (CheckResult.Undecided) ruling;
            return new Refused(
                    ErrorCode.UNDECIDED,
                    "policy " + undecided.limit().policy().id()
                            + " denies what it cannot count, and its counters cannot be reached");
        }

        private static @Nullable Refused of(Decision decision) {
            if (decision instanceof Decision.Denied denied) {
                return new Refused(ErrorCode.LIMIT_EXCEEDED, detail(denied));
            }
            if (decision instanceof Decision.Throttled throttled) {
                return new Refused(
                        ErrorCode.THROTTLED,
                        over(throttled.deciding()) + "; come again in " + AnswerTimes.millis(throttled.delayMicros())
                                + " ms");
            }
            return null;
        }

        private static String detail(Decision.Denied denied) {
            if (denied.forGood()) {
                return "the cost of " + denied.deciding().limit().cost() + " is above the limit of "
                        + denied.deciding().standing().limit() + " of policy "
                        + denied.deciding().limit().policy().id() + ": no waiting helps";
            }
            return over(denied.deciding()) + "; retry after " + AnswerTimes.waitSeconds(denied.retryAfterMicros())
                    + " s";
        }

        private static String over(LimitDecision deciding) {
            return "policy " + deciding.limit().policy().id() + " allows "
                    + deciding.limit().quota();
        }
    }

    /** Result of one element of a batch. */
    public sealed interface BatchResult {
        record Ruled(CheckResult ruling) implements BatchResult {}

        record NotAsked(Problem problem) implements BatchResult {}
    }
}
