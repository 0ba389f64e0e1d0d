package io.meridian.config.rulebook;

import io.meridian.model.rules.RuleEntry;
import java.time.Instant;
import java.util.Optional;

/**
 * An entry as it is stored.
 *
 * @param version of a policy its own count, which goes on over deletions; of all else the revision that changed it. Either way
 *     no two contents of one id share it
 * @param createdBy who made it an entry; empty if that was before it was kept
 */
public record Stored(RuleEntry entry, long version, Instant createdAt, Instant updatedAt, Optional<String> createdBy) {
    public Kind kind() {
        return Kind.of(entry.key());
    }

    public String id() {
        return EntryIds.of(entry.key());
    }

    /** What stands for this version in ETag and If-Match. */
    public String etag() {
        return "\"" + version + "\"";
    }
}
