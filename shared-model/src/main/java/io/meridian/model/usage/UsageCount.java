package io.meridian.model.usage;

/**
 * Units that one region took and gave back of one limit, both counted from the start and never falling. Merging takes the
 * larger of each, so a message that is repeated, late or lost changes nothing once a later one arrives.
 */
public record UsageCount(long taken, long returned) {
    public static final UsageCount ZERO = new UsageCount(0, 0);

    public UsageCount {
        if (taken < 0) {
            throw new IllegalArgumentException("taken must not be negative, got " + taken);
        }
        if (returned < 0 || returned > taken) {
            throw new IllegalArgumentException("returned must be from 0 to taken " + taken + ", got " + returned);
        }
    }

    public UsageCount merge(UsageCount other) {
        return new UsageCount(Math.max(taken, other.taken), Math.max(returned, other.returned));
    }

    public long net() {
        return taken - returned;
    }
}
