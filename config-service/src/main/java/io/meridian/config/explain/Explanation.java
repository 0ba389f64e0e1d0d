package io.meridian.config.explain;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Explanation of a check, as the API answers it.
 *
 * @param revision of the rules that are explained
 * @param list the line of the deny list or else of the allow list that names the client; null if none does
 * @param policies every policy, in the order of evaluation
 * @param regions one entry per region that was asked
 */
@JsonNaming(SnakeCaseStrategy.class)
public record Explanation(
        @Schema(examples = "2026-01-15T11:00:00Z") String askedAt,
        @Schema(examples = "12") long revision,
        @Nullable ListHit list,
        TierUsed tier,
        List<PolicyItem> policies,
        List<RegionItem> regions) {
    public Explanation {
        policies = List.copyOf(policies);
        regions = List.copyOf(regions);
    }

    /** Line of a list that names the client. */
    @JsonNaming(SnakeCaseStrategy.class)
    public record ListHit(
            @Schema(examples = "deny-list") String list,
            @Schema(examples = "user_id") String identifierType,
            @Schema(examples = "42") String identifier,
            String reason,
            @Nullable String expiresAt) {}

    /**
     * Tier of the client.
     *
     * @param name null if it has none
     * @param source client if an entry names the client, default if it has the default tier, none if there is no default
     */
    @JsonNaming(SnakeCaseStrategy.class)
    public record TierUsed(
            @Schema(examples = "free") @Nullable String name,

            @Schema(enumeration = {"client", "default", "none"})
            String source,

            @Nullable String identifierType,
            @Nullable String identifier) {}

    /**
     * One policy.
     *
     * @param matched whether it applies to the check in at least one of the regions that were asked
     * @param regions the regions that were asked and in which it applies
     * @param key of the counter; null if the policy does not apply
     * @param cost what the check is charged; null if the policy does not apply
     * @param limit of the client: the override's if there is one; before adaptive scaling, which a region's limits have
     * @param mismatches what the check does not meet; empty if the policy applies
     */
    @JsonNaming(SnakeCaseStrategy.class)
    public record PolicyItem(
            @Schema(examples = "api-default") String id,
            String name,
            long version,
            int priority,
            @Schema(examples = "regional") String scope,
            @Schema(examples = "reject") String action,
            boolean matched,
            List<String> regions,
            @Schema(examples = "user_id=42") @Nullable String key,
            @Schema(examples = "1") @Nullable Long cost,
            long limit,
            long burst,
            @Schema(examples = "1h") String window,
            @Nullable OverrideUsed override,
            List<MismatchItem> mismatches) {}

    /** Override that applies to the client. */
    @JsonNaming(SnakeCaseStrategy.class)
    public record OverrideUsed(
            String identifierType,
            String identifier,
            long limit,
            long burst,
            @Nullable String expiresAt) {}

    /**
     * Selector that the check does not meet.
     *
     * @param selector disabled, region, named, endpoint, method, tier, header, attribute, or key (the check lacks a part of the key)
     * @param name of the header or the attribute; null for other selectors
     * @param expected values of which the check needs one; empty if any will do
     * @param actual null if the check has none
     */
    public record MismatchItem(
            @Schema(
                    enumeration = {
                        "disabled",
                        "region",
                        "named",
                        "endpoint",
                        "method",
                        "tier",
                        "header",
                        "attribute",
                        "key"
                    })
            String selector,

            @Nullable String name,
            List<String> expected,
            @Nullable String actual) {}

    /**
     * One region.
     *
     * @param answered whether a limiter of the region reported its counters
     * @param reason why it did not; null if it did
     * @param status the check would be answered with; null if that is not known
     * @param allowed null if that is not known
     * @param policy that would refuse the check; null if none would
     * @param detail the answer in a sentence
     */
    @JsonNaming(SnakeCaseStrategy.class)
    public record RegionItem(
            @Schema(examples = "us-east") String region,
            boolean answered,
            @Nullable String reason,
            @Schema(examples = "200") @Nullable Integer status,
            @Nullable Boolean allowed,
            @Nullable String policy,
            String detail,
            List<LimitItem> limits) {}

    /**
     * Limit as it stands in a region.
     *
     * @param admits whether the limit has room for the cost of the check
     * @param shadow whether the policy only records, so that it refuses nothing
     */
    @JsonNaming(SnakeCaseStrategy.class)
    public record LimitItem(
            String policy,
            String key,
            long limit,
            long used,
            long remaining,
            String resetAt,
            long cost,
            boolean admits,
            boolean shadow) {}
}
