package io.meridian.config.rules;

import io.meridian.model.rules.RuleEntry;
import java.time.Instant;
import java.util.Optional;

/**
 * Entry with its version and times.
 *
 * @param version of a policy its own count, which goes on over deletions; of every other kind the revision that changed it.
 *     Either way no two contents of one id share it
 * @param createdBy the actor who created it; empty for entries created before this was stored
 */
public record StoredEntry(
        RuleEntry entry, long version, Instant createdAt, Instant updatedAt, Optional<String> createdBy) {
    public EntryKind kind() {
        return EntryKind.of(entry.key());
    }

    public String id() {
        return EntryKind.id(entry.key());
    }

    /** The version in ETag and If-Match. */
    public String etag() {
        return etag(version);
    }

    /** The tag of a version, or of a revision of the rules as a whole. */
    public static String etag(long version) {
        return "\"" + version + "\"";
    }
}
