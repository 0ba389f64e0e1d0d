package io.meridian.sync.region;

import org.jspecify.annotations.Nullable;

/**
 * What is known of a region.
 *
 * @param clockSkewMicros how far its clock is ahead, null if it has not been heard lately
 * @param loopDelay null if this replica has not answered it lately
 * @param heardMicros when it was last heard
 */
public record RegionStatus(
        String region,
        @Nullable Long clockSkewMicros,
        @Nullable LoopDelay loopDelay,
        long heardMicros) {}
