package io.meridian.model.usage;

import io.meridian.model.policy.Coordination.Scope;
import io.meridian.model.policy.Policy;

/** Modes in which regions share a limit. The code is part of the wire format: never to be given to another. */
public enum SharingMode {
    /** Not at all: a region's own limit, reported for the record. */
    REGIONAL(0),
    /** Every region knows what the others used of an aligned window. */
    CONVERGE(1),
    /** Every region charges its own counter with what the others used; windows only divide the accounts. */
    CONVERGE_RATE(2),
    /** Every region spends what it was granted of an aligned window. */
    ESCROW(3);

    private final int code;

    SharingMode(int code) {
        this.code = code;
    }

    public static SharingMode of(Policy policy) {
        if (policy.coordination().scope() == Scope.REGIONAL) {
            return REGIONAL;
        }
        if (policy.coordination().isEscrow()) {
            return ESCROW;
        }
        return policy.limitSpec().algorithm().isWindowed() ? CONVERGE : CONVERGE_RATE;
    }

    public static SharingMode ofCode(long code) {
        for (SharingMode sharing : values()) {
            if (sharing.code == code) {
                return sharing;
            }
        }
        throw new IllegalArgumentException("sharing must be from 0 to 3, got " + code);
    }

    public int code() {
        return code;
    }

    /** Whether the regions count together. */
    public boolean isGlobal() {
        return this != REGIONAL;
    }
}
