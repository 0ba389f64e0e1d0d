package io.meridian.limiter.control;

import io.meridian.limiter.decide.CheckResult;
import io.meridian.limiter.operations.OperationTrail.Entry;
import io.meridian.limiter.operations.OperationTrail.Kind;
import io.meridian.model.decision.Decision.LimitDecision;
import io.meridian.model.match.Check;
import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.OperationRecord;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Factory of records of operations. Each gets an id that no other of any instance has, so that a repeated record is known. */
final class OperationRecords {
    private static final int PREFIX_BYTES = 16;

    private final String region;
    private final TimeSource time;
    private final String prefix;
    private final AtomicLong count = new AtomicLong();

    OperationRecords(String region, TimeSource time) {
        byte[] random = new byte[PREFIX_BYTES];
        new SecureRandom().nextBytes(random);
        this.region = region;
        this.time = time;
        this.prefix = HexFormat.of().formatHex(random) + "-";
    }

    OperationRecord of(Entry operation) {
        Check check = operation.check();
        boolean refund = operation.kind() == Kind.REFUND;
        List<LimitDecision> limits = limits(operation);
        return new OperationRecord(
                prefix + count.incrementAndGet(),
                refund ? OperationRecord.Kind.REFUND : OperationRecord.Kind.RESET,
                operation.caller(),
                region,
                operation.requestId() == null ? "" : operation.requestId(),
                time.wallMicros(),
                outcome(operation),
                refund ? check.cost() : 0,
                cut("/" + String.join("/", check.segments()), OperationRecord.ENDPOINT_MAX),
                // Capital letters may be more than the small ones were.
                cut(check.method(), OperationRecord.METHOD_MAX),
                limits.stream()
                        .limit(OperationRecord.LIMITS_MAX)
                        .map(each -> counter(each, refund))
                        .toList(),
                limits.size());
    }

    private static List<LimitDecision> limits(Entry operation) {
        return operation.ruling() instanceof CheckResult.Decided decided
                ? decided.decision().limits()
                : List.of();
    }

    private static OperationRecord.Counter counter(LimitDecision each, boolean refund) {
        return new OperationRecord.Counter(
                each.limit().policy().id(),
                cut(each.limit().key(), OperationRecord.KEY_MAX),
                refund ? each.limit().cost() : 0);
    }

    private static OperationRecord.Outcome outcome(Entry operation) {
        CheckResult ruling = operation.ruling();
        if (ruling instanceof CheckResult.Decided decided) {
            if (decided.decision().limits().isEmpty()) {
                return OperationRecord.Outcome.NO_LIMIT;
            }
            return decided.degraded() ? OperationRecord.Outcome.DEGRADED : OperationRecord.Outcome.DONE;
        }
        if (ruling == null) {
            return OperationRecord.Outcome.FAILED;
        }
        return ruling instanceof CheckResult.Listed
                ? OperationRecord.Outcome.DENY_LISTED
                : OperationRecord.Outcome.UNDECIDED;
    }

    private static String cut(String text, int max) {
        if (text.length() <= max) {
            return text;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(max - 1)) ? max - 1 : max);
    }
}
