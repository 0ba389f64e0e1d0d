package io.meridian.sync.aggregate;

import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.usage.WindowRule;
import io.meridian.model.wire.VerdictRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Verdicts of one tick, all of one epoch and with one sequence. */
final class VerdictBatch {
    private final long epoch;
    private final long sequence;
    private final FloorRights floors;
    private final List<VerdictRecord> verdicts = new ArrayList<>();

    VerdictBatch(long epoch, long sequence, FloorRights floors) {
        this.epoch = epoch;
        this.sequence = sequence;
        this.floors = floors;
    }

    /** The rights to floors that hold once this is committed. */
    FloorRights floors() {
        return floors;
    }

    List<VerdictRecord> verdicts() {
        return verdicts;
    }

    /** Content of a verdict. */
    record Content(long usedElsewhere, boolean blocked, long granted, long keep) {}

    void add(
            LimitWindow limit,
            WindowRule rule,
            RegionIncarnation incarnation,
            Content content,
            long echoMicros,
            long ratePerSecond) {
        verdicts.add(new VerdictRecord(
                limit,
                incarnation,
                epoch,
                sequence,
                rule,
                content.usedElsewhere,
                content.blocked,
                content.granted,
                content.keep,
                echoMicros,
                ratePerSecond));
    }

    /** Times at which the usage that has just been applied was sent, by incarnation. */
    static final class Echoes {
        private final Map<Integer, Long> sentMicros;

        Echoes() {
            this.sentMicros = new HashMap<>(4);
        }

        Echoes(Echoes before) {
            this.sentMicros = new HashMap<>(before.sentMicros);
        }

        void sent(int incarnation, long micros) {
            sentMicros.merge(incarnation, micros, Math::max);
        }

        long of(int incarnation) {
            return sentMicros.getOrDefault(incarnation, 0L);
        }
    }
}
