package io.meridian.limiter.api;

import io.meridian.limiter.decide.Ruling;
import io.meridian.model.decision.Decision.LimitDecision;
import io.meridian.model.decision.Decision;
import org.jspecify.annotations.Nullable;

/** Why a ruling refuses: the problem members of its answer. */
record Refused(ErrorCode code, String detail) {
    /** Null if the ruling allows. */
    static @Nullable Refused of(Ruling ruling) {
        if (ruling instanceof Ruling.Decided decided) {
            return of(decided.decision());
        }
        if (ruling instanceof Ruling.Listed listed) {
            String who = Shown.text(listed.identifierType() + "=" + listed.identifier());
            return new Refused(ErrorCode.DENY_LISTED, who + " is on the deny list");
        }
        Ruling.Undecided undecided = (Ruling.Undecided) ruling;
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
                    over(throttled.deciding()) + "; come again in " + Times.millis(throttled.delayMicros()) + " ms");
        }
        return null;
    }

    private static String detail(Decision.Denied denied) {
        if (denied.forGood()) {
            return "the cost of " + denied.deciding().limit().cost() + " is above the limit of "
                    + denied.deciding().standing().limit() + " of policy "
                    + denied.deciding().limit().policy().id() + ": no waiting helps";
        }
        return over(denied.deciding()) + "; retry after " + Times.waitSeconds(denied.retryAfterMicros()) + " s";
    }

    private static String over(LimitDecision deciding) {
        return "policy " + deciding.limit().policy().id() + " allows "
                + deciding.limit().quota();
    }
}
