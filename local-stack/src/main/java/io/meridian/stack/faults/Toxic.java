package io.meridian.stack.faults;

import java.util.Objects;

/**
 * A named fault on one direction of a proxy's connections. Toxicity is the share of connections it affects: whether one
 * connection is affected is drawn once, so that raising the toxicity only adds connections.
 */
public record Toxic(String name, Direction direction, double toxicity, Fault fault) {
    public Toxic {
        Labels.require("name", name);
        Objects.requireNonNull(direction, "direction");
        Objects.requireNonNull(fault, "fault");
        if (!(toxicity >= 0 && toxicity <= 1)) {
            throw new IllegalArgumentException("toxicity must be between 0 and 1, got " + toxicity);
        }
    }

    /** A toxic that affects every connection, under the name Toxiproxy would give it. */
    public static Toxic everywhere(Direction direction, Fault fault) {
        return new Toxic(fault.type() + "_" + direction.wireName(), direction, 1.0, fault);
    }
}
