package io.meridian.stack.cli;

import io.meridian.stack.run.PartState;
import io.meridian.stack.server.ProbeKind;
import java.util.Comparator;

/** The order of parts in tables: what users talk to comes first. */
final class PartOrder {
    static final Comparator<PartState> BY_KIND_AND_NAME = Comparator.<PartState, Boolean>comparing(
                    part -> part.kind() != ProbeKind.HTTP)
            .thenComparing(PartState::name);

    private PartOrder() {}
}
