package io.meridian.limiter.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.meridian.limiter.LimiterConfig;
import io.meridian.limiter.LimiterConfig.ApiConfig;
import io.meridian.limiter.caller.Caller;
import io.meridian.limiter.decide.Centre;
import io.meridian.limiter.decide.Limiter.Reservation;
import io.meridian.limiter.decide.Ruling;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Turns rulings into answers. */
@Singleton
class Answers {
    private static final int OK = 200;
    private static final int CREATED = 201;

    private final DecisionWriter decisions;
    private final RateLimitHeaders headers;

    Answers(LimiterConfig limiter, ApiConfig api, Centre centre) {
        this.decisions = new DecisionWriter(limiter.region(), centre);
        this.headers = new RateLimitHeaders(RateLimitDraft.parse(api.ratelimitDraft()));
    }

    /** The answer to whoever asks whether a request may go on. */
    Answer check(Ruling ruling) {
        return answer(ruling, Refused.of(ruling), OK, null);
    }

    /** The answer to a gateway. It passes on the status and headers, so these carry warnings and how the caller is known. */
    Answer forwarded(Ruling ruling, Caller caller) {
        Refused refused = Refused.of(ruling);
        Answer answer = refused == null
                ? new Answer(OK, Answer.JSON, headers.of(ruling, false), new byte[0])
                : answer(ruling, refused, OK, json -> CallerFields.write(json, caller));
        headers.addWarnings(answer.headers(), ruling);
        if (caller.isUnverified()) {
            answer.headers().add(RateLimitHeaders.IDENTITY, RateLimitHeaders.UNVERIFIED);
        }
        return answer;
    }

    /** How the limits of the caller itself stand, and who it is taken for. */
    Answer ownStanding(Ruling ruling, Caller caller, Optional<String> tier) {
        Refused refused = ruling instanceof Ruling.Decided ? null : Refused.of(ruling);
        return answer(ruling, refused, OK, json -> {
            CallerFields.writeClient(json, caller, tier);
            CallerFields.write(json, caller);
        });
    }

    /** The answer to whoever wants to know how limits stand: a limit that is used up is no error then. */
    Answer standing(Ruling ruling) {
        return answer(ruling, ruling instanceof Ruling.Decided ? null : Refused.of(ruling), OK, null);
    }

    Answer reservation(Reservation reservation) {
        String id = reservation.id().orElse(null);
        return answer(
                reservation.ruling(),
                Refused.of(reservation.ruling()),
                CREATED,
                id == null ? null : json -> json.writeStringField("reservation_id", id));
    }

    Answer batch(List<BatchResult> results) {
        return Answer.json(OK, Json.write(json -> {
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

    private void writeRuled(JsonGenerator json, Ruling ruling) throws IOException {
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
    private Answer answer(Ruling ruling, @Nullable Refused refused, int status, Json.@Nullable Document first) {
        byte[] body = Json.write(json -> {
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
                ? new Answer(status, Answer.JSON, headers.of(ruling, false), body)
                : new Answer(refused.code().status(), Answer.PROBLEM, headers.of(ruling, true), body);
    }
}
