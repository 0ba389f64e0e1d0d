package io.meridian.limiter.api;

import com.fasterxml.jackson.core.io.SerializedString;
import io.meridian.limiter.decide.DecidedBy;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.match.Limit;
import io.meridian.model.usage.SharingMode;
import java.util.EnumMap;
import java.util.Map;

/** The words in which an answer says where a limit's verdict came from and what it is worth. */
final class LimitWords {
    static final SerializedString EXACT = new SerializedString("exact");
    static final SerializedString CONVERGE = new SerializedString("converge");
    static final SerializedString ESCROW = new SerializedString("escrow");
    static final SerializedString NONE = new SerializedString("none");
    private static final Map<DecidedBy, SerializedString> DECIDED_BY = new EnumMap<>(DecidedBy.class);

    static {
        for (DecidedBy each : DecidedBy.values()) {
            DECIDED_BY.put(each, new SerializedString(each.text()));
        }
    }

    private LimitWords() {}

    @SuppressWarnings("NullAway") // every constant is there
    static SerializedString decidedBy(DecidedBy by) {
        return DECIDED_BY.get(by);
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
            case REGIONAL -> limit.policy().limitSpec().algorithm() != Algorithm.SLIDING_WINDOW_ESTIMATE ? EXACT : NONE;
            case CONVERGE, CONVERGE_RATE -> CONVERGE;
            case ESCROW -> ESCROW;
        };
    }
}
