package io.meridian.limiter.policy;

/** The port to policies: the rulebook of now. */
public interface Rulebooks {
    Rulebook current();
}
