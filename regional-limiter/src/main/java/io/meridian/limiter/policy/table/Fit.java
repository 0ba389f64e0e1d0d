package io.meridian.limiter.policy.table;

/** Whether an entry can be used where it was found. */
public interface Fit {
    /** Any can. */
    Fit ANY = payload -> true;

    boolean test(long[] payload);
}
