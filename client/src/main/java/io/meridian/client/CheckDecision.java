package io.meridian.client;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decision on one check. Where the limiter decided, it is the limiter's answer; where the client did, it is derived from the last one, and
 * the limits are only computed if somebody reads them.
 */
public final class CheckDecision {
    private static final int OK = 200;
    private static final int TOO_MANY = 429;

    private final Head head;
    private final Source source;
    /** Units that were spent from a lease since the answer that the limits are from. */
    private final long spentSince;

    private CheckDecision(Head head, Source source, long spentSince) {
        this.head = head;
        this.source = source;
        this.spentSince = spentSince;
    }

    /** Part of the system that decided. */
    public enum Source {
        /** The limiter, asked for this check. */
        LIMITER,
        /** A lease in this client's memory. */
        CLIENT_LEASE,
        /** A refusal in this client's memory that cannot have changed yet. */
        CLIENT_MEMORY,
        /** The setting for a limiter that does not answer. */
        UNAVAILABLE
    }

    /**
     * State of one limit.
     *
     * @param decidedBy lease, region, global, fallback or client-lease
     * @param bound exact, converge, escrow or none
     */
    public record LimitStatus(
            String policy,
            String key,
            boolean allowed,
            long limit,
            long remaining,
            @Nullable Instant resetAt,
            boolean shadow,
            String decidedBy,
            String bound,
            long stalenessMs) {}

    /**
     * Members of an answer. A missing number is -1.
     *
     * @param unitCosts of a lease: what each policy is charged for one unit
     */
    record Head(
            int status,
            boolean allowed,
            @Nullable String policy,
            long limit,
            long remaining,
            @Nullable Instant resetAt,
            long retryAfterSeconds,
            long delayMillis,
            List<String> warnings,
            boolean degraded,
            String region,
            List<LimitStatus> limits,
            @Nullable String type,
            @Nullable String title,
            @Nullable String detail,
            @Nullable String upgradeUrl,
            Map<String, Long> unitCosts) {
        private long unitCost(@Nullable String ofPolicy) {
            return ofPolicy == null ? 1 : unitCosts.getOrDefault(ofPolicy, 1L);
        }

        static Head unavailable(boolean allowed, String detail) {
            return new Head(
                    allowed ? OK : 503,
                    allowed,
                    null,
                    -1,
                    -1,
                    null,
                    allowed ? -1 : 1,
                    0,
                    List.of(),
                    true,
                    "",
                    List.of(),
                    allowed ? null : "urn:meridian:problem:limiter-unavailable",
                    allowed ? null : "The rate limiter does not answer",
                    allowed ? null : detail,
                    null,
                    Map.of());
        }
    }

    static CheckDecision of(Head head, Source source) {
        return new CheckDecision(head, source, 0);
    }

    static CheckDecision leased(Head head, long spentSince) {
        return new CheckDecision(head, Source.CLIENT_LEASE, spentSince);
    }

    public boolean allowed() {
        return head.allowed;
    }

    /** 200, 429, 403 for a client on the deny list, or 503 for a check that could not be decided and must not be let through. */
    public int status() {
        return head.status;
    }

    /** Whether it was refused because a limit is used up. */
    public boolean limited() {
        return head.status == TOO_MANY;
    }

    /** The most restrictive policy, null if none applied. */
    public @Nullable String policy() {
        return head.policy;
    }

    /** -1 if no policy applied. */
    public long limit() {
        return head.limit;
    }

    /** -1 if no policy applied. */
    public long remaining() {
        return head.remaining < 0 ? -1 : Math.max(0, head.remaining - spentSince * head.unitCost(head.policy));
    }

    public @Nullable Instant resetAt() {
        return head.resetAt;
    }

    /** Whole seconds, at least 1; -1 if the request may go on or no waiting helps. */
    public long retryAfterSeconds() {
        return head.retryAfterSeconds;
    }

    /** How long a paced request waits before it starts. */
    public long delayMillis() {
        return head.delayMillis;
    }

    public List<String> warnings() {
        return head.warnings;
    }

    /** Whether any limit was decided without its counter. */
    public boolean degraded() {
        return head.degraded;
    }

    public String region() {
        return head.region;
    }

    public Source source() {
        return source;
    }

    /** Problem type of a refusal: {@code urn:meridian:problem:limit-exceeded}. */
    public @Nullable String type() {
        return head.type;
    }

    public @Nullable String title() {
        return head.title;
    }

    public @Nullable String detail() {
        return head.detail;
    }

    public @Nullable String upgradeUrl() {
        return head.upgradeUrl;
    }

    /** Every evaluated limit. */
    public List<LimitStatus> limits() {
        if (source != Source.CLIENT_LEASE) {
            return head.limits;
        }
        List<LimitStatus> limits = new ArrayList<>(head.limits.size());
        for (LimitStatus each : head.limits) {
            limits.add(new LimitStatus(
                    each.policy,
                    each.key,
                    each.allowed,
                    each.limit,
                    Math.max(0, each.remaining - spentSince * head.unitCost(each.policy)),
                    each.resetAt,
                    each.shadow,
                    "client-lease",
                    each.bound,
                    each.stalenessMs));
        }
        return limits;
    }

    @Override
    public String toString() {
        return head.status + " by " + source + (head.policy == null ? "" : " of policy " + head.policy);
    }
}
