package io.meridian.chaos.global;

import io.meridian.stack.run.PartState;
import io.meridian.stack.run.StackState;

/** The processes of a world, by name. */
record Parts(StackState stack) {
    PartState of(String name) {
        return stack.parts().stream()
                .filter(part -> part.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no part " + name));
    }
}
