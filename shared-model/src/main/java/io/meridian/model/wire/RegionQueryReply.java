package io.meridian.model.wire;

import io.meridian.model.policy.Coordination.Scope;
import io.meridian.model.validation.Validator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one instance answers to a question about a client.
 *
 * @param limits the client's limits in the region, in the order of evaluation
 * @param failed why it cannot say, or null: then there are no limits
 */
public record RegionQueryReply(
        String questionId,
        String region,
        String instance,
        List<Standing> limits,
        @Nullable String failed) {
    /** An answer has at most so many limits: it must fit into a record. */
    public static final int LIMITS_MAX = 1_000;

    static final int FAILED_MAX = 500;

    /**
     * One limit as it stands.
     *
     * @param limit what an untouched counter admits at once
     * @param used what is not there any more of it
     * @param resetAtMicros the region's time when all of it is there again if nothing more is taken
     */
    public record Standing(
            String policy, String key, Scope scope, long limit, long remaining, long used, long resetAtMicros) {}

    public RegionQueryReply {
        Validator rules = new Validator();
        WireNames.check(rules, "questionId", questionId, RegionQuery.ID_MAX);
        WireNames.check(rules, "region", region, InstanceReport.NAME_MAX);
        WireNames.check(rules, "instance", instance, InstanceReport.NAME_MAX);
        rules.require(
                        limits.size() <= LIMITS_MAX,
                        "limits",
                        limits.size(),
                        "must have at most " + LIMITS_MAX + " entries")
                .require(
                        failed == null || (limits.isEmpty() && failed.length() <= FAILED_MAX),
                        "failed",
                        failed == null ? "" : failed,
                        "must have at most " + FAILED_MAX + " characters and stand alone")
                .throwIfBroken();
        limits = List.copyOf(limits);
    }

    public static RegionQueryReply failed(RegionQuery question, String region, String instance, String reason) {
        String cut = reason.length() <= FAILED_MAX ? reason : reason.substring(0, FAILED_MAX);
        return new RegionQueryReply(question.id(), region, instance, List.of(), cut);
    }
}
