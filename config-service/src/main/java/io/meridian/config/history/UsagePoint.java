package io.meridian.config.history;

import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionLife;

/** One point of the curve of one cumulative count. */
record UsagePoint(LimitWindow limit, RegionLife life, long bucketMicros) {}
