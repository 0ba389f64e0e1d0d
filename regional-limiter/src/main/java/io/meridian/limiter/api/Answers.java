package io.meridian.limiter.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.meridian.limiter.LimiterConfig;
import io.meridian.limiter.decide.Centre;
import io.meridian.limiter.decide.Limiter.Reservation;
import io.meridian.limiter.decide.Ruling;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.List;
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

    /** The answer to whoever wants to know how limits stand: a limit that is used up is no error then. */
    Answer standing(Ruling ruling) {
        return answer(ruling, ruling instanceof Ruling.Decided ? null : Refused.of(ruling), OK, null);
    }

    Answer reservation(Reservation reservation) {
        String id = reservation.id().orElse(null);
        return answer(reservation.ruling(), Refused.of(reservation.ruling()), CREATED, id);
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

    private Answer answer(Ruling ruling, @Nullable Refused refused, int status, @Nullable String reservationId) {
        byte[] body = Json.write(json -> {
            json.writeStartObject();
            if (reservationId != null) {
                json.writeStringField("reservation_id", reservationId);
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
