package io.meridian.model.policy;

/**
 * What becomes of what was admitted above a global limit during a partition. The code is part of the wire format: never to be
 * given to another.
 */
public enum AfterHeal {
    /** It is told, and forgotten. */
    FORGIVE(0),
    /** The next window pays it, at most with half of its limit. */
    CARRY(1),
    /** It stays on the counter, up to once more the limit: what slides or drains is free again so much later. */
    CAP(2);

    private final int code;

    AfterHeal(int code) {
        this.code = code;
    }

    public static AfterHeal ofCode(long code) {
        for (AfterHeal each : values()) {
            if (each.code == code) {
                return each;
            }
        }
        throw new IllegalArgumentException("afterHeal must be from 0 to 2, got " + code);
    }

    public int code() {
        return code;
    }
}
