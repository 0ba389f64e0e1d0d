package io.meridian.config.history;

import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionIncarnation;

/** One point of the curve of one cumulative count. */
record UsagePoint(LimitWindow limit, RegionIncarnation life, long bucketMicros) {}
