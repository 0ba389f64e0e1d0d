package io.meridian.limiter.rules;

import io.meridian.model.match.Check;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Policy;
import java.util.List;
import java.util.Optional;

/** Rules of this region as a check sees them: immutable, replaced as a whole. */
public interface RegionRules {
    /** Whether the client is listed; an entry that has expired by {@code nowMicros} is none. */
    Listing listing(Check check, long nowMicros);

    /**
     * The limits of a check, in the order of evaluation: by the client's tier, with its overrides, and adaptive ones at
     * {@code load}.
     *
     * @param loadPercent the region's reported load, empty if none was reported lately: adaptive limits are then as written
     */
    List<Limit> limits(Check check, Optional<Integer> loadPercent, long nowMicros);

    /**
     * The limits that count a client by itself, whatever it asks for, under its own terms.
     *
     * @param endpointKnown whether the client's endpoint is one, rather than none
     */
    List<Limit> clientLimits(Check client, boolean endpointKnown, Optional<Integer> loadPercent, long nowMicros);

    /** The tier of a client, the default one if it has none of its own, empty if there is no default. */
    Optional<String> tier(Check client, long nowMicros);

    /** Where the client's tier sends it for a higher one, if it sends it anywhere. */
    default Optional<String> upgradeUrl(Check check, long nowMicros) {
        return Optional.empty();
    }

    /** The policy of this id, whether it applies in this region or not. */
    Optional<Policy> policy(String id);

    /** Result of the allow and deny lists for a client. */
    sealed interface Listing {
        /** On no list. */
        record Unlisted() implements Listing {}

        /** On the allow list: exempt from every policy. */
        record Exempt() implements Listing {}

        /** On the deny list, by this identifier. The deny list goes before the allow list. */
        record Barred(String identifierType, String identifier) implements Listing {}
    }
}
