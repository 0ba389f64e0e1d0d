package io.meridian.limiter.decide;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.meridian.model.algorithm.CounterState;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.decision.Decision.LimitDecision;
import io.meridian.model.decision.MultiLimit;
import io.meridian.model.match.Limit;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rulings as short-lived records of the region's store. Policies are named; a policy that has gone since is left out. */
@Singleton
class RulingRecords {
    private static final ObjectMapper MAPPER = JsonMapper.builder().build();

    record Stored(
            long now,
            List<Said> said,
            @Nullable String listedType,
            @Nullable String listed) {}

    record Said(
            String policy,
            boolean admitted,
            long limit,
            long remaining,
            long resetAt,
            long waitFor,
            DecidedBy decidedBy) {}

    String write(Ruling ruling) {
        try {
            return MAPPER.writeValueAsString(stored(ruling));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("numbers and texts can be written", impossible);
        }
    }

    Ruling read(String text, List<Limit> limits) {
        try {
            Stored stored = MAPPER.readValue(text, Stored.class);
            return stored.listedType != null && stored.listed != null
                    ? new Ruling.Listed(stored.listedType, stored.listed)
                    : decided(stored, limits);
        } catch (JsonProcessingException malformed) {
            throw new IllegalStateException(
                    "a ruling of another version: " + malformed.getOriginalMessage(), malformed);
        }
    }

    private static Stored stored(Ruling ruling) {
        if (ruling instanceof Ruling.Listed listed) {
            return new Stored(0, List.of(), listed.identifierType(), listed.identifier());
        }
        if (!(ruling instanceof Ruling.Decided decided)) {
            throw new IllegalArgumentException("only an answer is stored, got " + ruling);
        }
        List<Said> said = new ArrayList<>();
        for (int i = 0; i < decided.decidedBy().size(); i++) {
            LimitDecision each = decided.decision().limits().get(i);
            Standing standing = each.standing();
            said.add(new Said(
                    each.limit().policy().id(),
                    each.admitted(),
                    standing.limit(),
                    standing.remaining(),
                    standing.resetAtMicros(),
                    each.waitMicros(),
                    decided.decidedBy().get(i)));
        }
        return new Stored(decided.nowMicros(), said, null, null);
    }

    private static Ruling decided(Stored stored, List<Limit> limits) {
        List<LimitDecision> evaluated = new ArrayList<>();
        List<DecidedBy> decidedBy = new ArrayList<>();
        for (Said said : stored.said) {
            for (Limit limit : limits) {
                if (limit.policy().id().equals(said.policy)) {
                    evaluated.add(new LimitDecision(
                            limit,
                            said.admitted,
                            new Standing(said.limit, said.remaining, said.resetAt),
                            said.waitFor,
                            CounterState.UNTOUCHED));
                    decidedBy.add(said.decidedBy);
                }
            }
        }
        return new Ruling.Decided(MultiLimit.compose(evaluated), decidedBy, stored.now);
    }
}
