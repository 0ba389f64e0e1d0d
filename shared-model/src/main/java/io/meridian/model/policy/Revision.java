package io.meridian.model.policy;

import io.meridian.model.rule.Rules;
import java.time.Instant;

/** Which version of a policy this is. A policy nobody stored yet has version 0. */
public record Revision(long version, Instant createdAt, Instant updatedAt) {
    public static final Revision DRAFT = new Revision(0, Instant.EPOCH, Instant.EPOCH);

    public Revision {
        new Rules()
                .require(version >= 0, "version", version, "must not be negative")
                .throwIfBroken();
    }
}
