package io.meridian.model.wire;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.model.policy.Coordination.Scope;
import io.meridian.model.validation.EnumNames;
import io.meridian.model.validation.Validator;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reply of one instance to a query about a client.
 *
 * @param limits the client's limits in the region, in the order of evaluation
 * @param failed why the query failed, or null; if it failed there are no limits
 */
public record RegionQueryReply(
        String queryId,
        String region,
        String instance,
        List<Standing> limits,
        @Nullable String failed) {
    /** A reply has at most so many limits: it must fit into a record. */
    public static final int LIMITS_MAX = 1_000;

    static final int FAILED_MAX = 500;

    /**
     * One limit as it stands.
     *
     * @param limit what an untouched counter admits at once
     * @param used what is not there any more of it
     * @param resetAtMicros the region's time when all of it is there again if nothing more is taken
     * @param leased units of what is used that the instance that answers holds and has not spent; other instances may hold more
     * @param account the region's account of the window, of a global limit; null of a regional one and from an earlier build
     */
    public record Standing(
            String policy,
            String key,
            Scope scope,
            long limit,
            long remaining,
            long used,
            long resetAtMicros,
            long leased,
            @Nullable Account account) {
        public Standing(
                String policy, String key, Scope scope, long limit, long remaining, long used, long resetAtMicros) {
            this(policy, key, scope, limit, remaining, used, resetAtMicros, 0, null);
        }
    }

    /**
     * A region's account of a global limit in the current window.
     *
     * @param taken what the region took, of which {@code returned} was given back
     * @param usedElsewhere what the other regions used, as of the last verdict
     * @param grantAvailable in escrow, all that the region may spend: floor and grants, less what it gave back
     */
    public record Account(long taken, long returned, long usedElsewhere, long grantAvailable) {}

    public RegionQueryReply {
        Validator rules = new Validator();
        rules.requireName("queryId", queryId, RegionQuery.ID_MAX);
        rules.requireName("region", region, InstanceReport.NAME_MAX);
        rules.requireName("instance", instance, InstanceReport.NAME_MAX);
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
                .throwIfInvalid();
        limits = List.copyOf(limits);
    }

    public static RegionQueryReply failed(RegionQuery query, String region, String instance, String reason) {
        String cut = reason.length() <= FAILED_MAX ? reason : reason.substring(0, FAILED_MAX);
        return new RegionQueryReply(query.id(), region, instance, List.of(), cut);
    }

    /** The record as JSON. */
    public String encode() {
        ObjectNode record = JsonFields.newRecord()
                .put("question", queryId)
                .put("region", region)
                .put("instance", instance);
        ArrayNode standings = record.putArray("limits");
        for (Standing each : limits) {
            ObjectNode standing = standings
                    .addObject()
                    .put("policy", each.policy())
                    .put("key", each.key())
                    .put("scope", EnumNames.text(each.scope()))
                    .put("limit", each.limit())
                    .put("remaining", each.remaining())
                    .put("used", each.used())
                    .put("reset_at_micros", each.resetAtMicros());
            if (each.leased() > 0) {
                standing.put("leased", each.leased());
            }
            Account account = each.account();
            if (account != null) {
                standing.putObject("account")
                        .put("taken", account.taken())
                        .put("returned", account.returned())
                        .put("used_elsewhere", account.usedElsewhere())
                        .put("grant_available", account.grantAvailable());
            }
        }
        return record.put("failed", failed).toString();
    }

    public static RegionQueryReply decode(String text) {
        return JsonFields.decode("answer", text, fields -> {
            fields.require("question", "region", "instance");
            ArrayList<Standing> limits = new ArrayList<>();
            fields.objects("limits").forEach(each -> limits.add(standing(each)));
            String failed = fields.text("failed", "");
            fields.rules().throwIfInvalid();
            return new RegionQueryReply(
                    fields.text("question", ""),
                    fields.text("region", ""),
                    fields.text("instance", ""),
                    limits,
                    failed.isEmpty() ? null : failed);
        });
    }

    private static Standing standing(JsonFields fields) {
        fields.require("policy", "limit", "remaining", "used");
        return new Standing(
                fields.text("policy", ""),
                fields.text("key", ""),
                fields.choice("scope", Scope.class, Scope.REGIONAL, Scope.REGIONAL),
                fields.number("limit", 0),
                fields.number("remaining", 0),
                fields.number("used", 0),
                fields.number("reset_at_micros", 0),
                fields.number("leased", 0),
                fields.object("account").map(RegionQueryReply::account).orElse(null));
    }

    private static Account account(JsonFields fields) {
        return new Account(
                fields.number("taken", 0),
                fields.number("returned", 0),
                fields.number("used_elsewhere", 0),
                fields.number("grant_available", 0));
    }
}
