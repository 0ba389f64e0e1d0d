package io.meridian.stack.faults;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The toxics of one proxy, in the order they were added; every change is a new chain. */
record ToxicChain(List<Toxic> toxics) {
    static final int TOXICS_MAX = 64;
    static final ToxicChain NONE = new ToxicChain(List.of());

    ToxicChain {
        toxics = List.copyOf(toxics);
        if (toxics.size() > TOXICS_MAX) {
            throw FaultRefusal.full("toxics on a proxy", TOXICS_MAX);
        }
    }

    Optional<Toxic> find(String name) {
        return toxics.stream().filter(toxic -> toxic.name().equals(name)).findFirst();
    }

    ToxicChain with(Toxic added) {
        if (find(added.name()).isPresent()) {
            throw FaultRefusal.taken("toxic", added.name());
        }
        return new ToxicChain(Stream.concat(toxics.stream(), Stream.of(added)).toList());
    }

    /** The chain with the toxic of the same name exchanged; what a toxic is and where it works cannot change. */
    ToxicChain replacing(Toxic changed) {
        Toxic existing = require(changed.name());
        requireSame("type", existing.fault().type(), changed.fault().type());
        requireSame(
                "stream", existing.direction().wireName(), changed.direction().wireName());
        return new ToxicChain(toxics.stream()
                .map(toxic -> toxic.equals(existing) ? changed : toxic)
                .toList());
    }

    ToxicChain without(String name) {
        Toxic removed = require(name);
        return new ToxicChain(
                toxics.stream().filter(toxic -> !toxic.equals(removed)).toList());
    }

    Toxic require(String name) {
        return find(name).orElseThrow(() -> FaultRefusal.missing("toxic", name));
    }

    private static void requireSame(String field, String existing, String changed) {
        if (!existing.equals(changed)) {
            throw new IllegalArgumentException(field + " of a toxic must stay " + existing + ", got " + changed);
        }
    }
}
