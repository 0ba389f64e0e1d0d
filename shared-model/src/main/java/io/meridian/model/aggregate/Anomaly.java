package io.meridian.model.aggregate;

import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionLife;

/** An escrow account that cannot be: its region spent or gave back more than it was granted. */
public record Anomaly(LimitWindow limit, RegionLife life, long granted, long returned, long spent) {}
