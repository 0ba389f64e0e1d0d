package io.meridian.chaos.drill.history;

/** The parts of a drill, in their order. */
public enum Phase {
    /** Load, so that nothing is cold; judged by nobody. */
    WARM_UP,
    /** All is well. */
    CONTROL,
    /** What the drill does is in effect. */
    FAULT,
    /** It is undone, and the world mends. */
    RECOVERY,
    /** The load is over; what was admitted has to be known everywhere. */
    QUIET
}
