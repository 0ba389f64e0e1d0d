package io.meridian.limiter.redis;

import io.meridian.model.counter.WindowAccount;
import io.meridian.model.match.LimitKeys;
import io.meridian.model.wire.VerdictRecord;
import io.vertx.core.buffer.Buffer;
import io.vertx.redis.client.Request;
import java.util.List;

/** Packs verdicts as verdict.lua reads them: its header names every byte. */
final class VerdictWriter {
    private static final int BYTES_OF_A_VERDICT = 160;

    private VerdictWriter() {}

    /** Those that were said to this life. */
    static List<VerdictRecord> to(Life life, List<VerdictRecord> verdicts) {
        return verdicts.stream()
                .filter(said -> said.incarnation().number() == life.number())
                .toList();
    }

    static Request write(Request request, List<VerdictRecord> verdicts, LimitKeys keys, Life life, byte[] lifeKey) {
        request.arg(verdicts.size() + 1);
        verdicts.forEach(said -> request.arg(
                CounterKey.shared(keys, said.limit().policyId(), said.limit().key(), life)));
        request.arg(lifeKey).arg("0").arg(life.packed());
        verdicts.forEach(said -> request.arg(packed(said)));
        return request;
    }

    private static Buffer packed(VerdictRecord said) {
        Buffer packed = Buffer.buffer(BYTES_OF_A_VERDICT)
                .appendLong(said.limit().startMicros())
                .appendLong(said.rule().countedUntilMicros(said.limit().startMicros()))
                .appendLong(said.epoch())
                .appendLong(said.sequence())
                .appendLong(Math.min(said.usedElsewhere(), WindowAccount.MAX))
                .appendLong(Math.min(said.rule().policyVersion(), Integer.MAX_VALUE))
                .appendLong(Math.min(said.rule().limit(), WindowAccount.MAX))
                .appendLong(Math.min(said.granted(), WindowAccount.MAX))
                .appendLong(said.keep() == VerdictRecord.KEEP_ALL ? -1 : said.keep())
                .appendByte((byte) (said.blocked() ? 1 : 0));
        SharedText.append(packed, said.limit().policyId(), said.limit().key());
        return packed;
    }
}
