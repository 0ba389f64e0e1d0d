package io.meridian.limiter.policy;

/** The port to policies: the rulebook of now. */
public interface Rulebooks {
    Rulebook current();

    /** Where the rulebook of now came from, and how much it is to be trusted. */
    RulebookStatus status();
}
