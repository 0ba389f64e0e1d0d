package io.meridian.limiter.global;

import io.meridian.model.wire.RegionAnnouncement;
import io.meridian.model.wire.UsageRecord;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Port to the log of usage. */
public interface UsageSink {
    /** Completes when all of it is acknowledged, and fails if one record is not. */
    CompletionStage<Void> write(List<UsageRecord> records);

    /** Tells every leader that the region exists: completes when each partition of the log has it. */
    CompletionStage<Void> announce(RegionAnnouncement announcement);
}
