package io.meridian.config.rulebook;

import java.time.Instant;
import java.util.Optional;

/** An entry that was asked for, if there is one; and since when the copy that answered may be out of date. */
public record Found(Optional<Stored> entry, Optional<Instant> asOf) {}
