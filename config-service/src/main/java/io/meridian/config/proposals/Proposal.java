package io.meridian.config.proposals;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.rules.ChangeResult.EntryOutcome;
import io.meridian.config.rules.EntryChange;
import io.meridian.config.rules.EntryChange.Precondition;
import io.meridian.config.rules.EntryDocument;
import io.meridian.config.rules.EntryKind;
import io.meridian.config.rules.StoredEntry;
import io.meridian.model.validation.FieldError;
import io.meridian.model.validation.Validator;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Set of changes with a reason, applied after a second editor has approved it. Its content never changes, so an approval holds for what the
 * approver saw.
 *
 * @param author the name of the caller who proposed it, as in the audit trail
 * @param decision who approved it and who closed it; of an open proposal nobody
 */
public record Proposal(
        long id,
        String reason,
        List<ProposedChange> changes,
        boolean allowUnknown,
        String author,
        Instant createdAt,
        Instant expiresAt,
        State state,
        Decision decision) {
    public Proposal {
        changes = List.copyOf(changes);
    }

    /** States. A proposal goes from open to approved to applied; it ends rejected, withdrawn or expired before it is applied. */
    public enum State {
        OPEN,
        APPROVED,
        APPLIED,
        REJECTED,
        WITHDRAWN,
        /** Open or approved, and its time has come. */
        EXPIRED
    }

    /**
     * Callers and times of what was decided.
     *
     * @param closedBy who applied, rejected or withdrew it
     * @param revision of the rules that it made; null unless it was applied
     */
    public record Decision(
            @Nullable String approvedBy,
            @Nullable Instant approvedAt,
            @Nullable String closedBy,
            @Nullable Instant closedAt,
            @Nullable Long revision) {
        static final Decision NONE = new Decision(null, null, null, null, null);
    }

    /**
     * One change, with the entry that it was proposed upon.
     *
     * @param before the entry when it was proposed, with its version; null if there was none
     * @param after the entry that is to be; null if it is to be deleted
     */
    public record ProposedChange(
            EntryKind kind,
            String id,
            @Nullable ObjectNode before,
            @Nullable ObjectNode after) {
        static ProposedChange of(EntryOutcome outcome) {
            return new ProposedChange(
                    EntryKind.of(outcome.key()),
                    EntryKind.id(outcome.key()),
                    outcome.before().map(EntryDocument::write).orElse(null),
                    outcome.after()
                            .map(StoredEntry::entry)
                            .map(EntryDocument::draft)
                            .orElse(null));
        }

        public EntryChange toChange() {
            return after == null
                    ? new EntryChange.Delete(kind.key(id), Precondition.ALWAYS)
                    : new EntryChange.Put(EntryDocument.read(kind, after), Precondition.ALWAYS);
        }

        /** The difference between the entry now and when the change was proposed; empty if there is none. */
        Optional<FieldError> conflict(@Nullable StoredEntry now) {
            long base = before == null ? 0 : before.path("version").asLong();
            long version = now == null ? 0 : now.version();
            return base == version
                    ? Optional.empty()
                    : Optional.of(new FieldError(
                            kind.label() + " " + id,
                            version(version),
                            "must still be as it was when the change was proposed: " + version(base)));
        }

        private static String version(long version) {
            return version == 0 ? "absent" : "at version " + version;
        }

        ObjectNode toJson() {
            ObjectNode json = JsonNodeFactory.instance.objectNode();
            json.put("kind", kind.label()).put("id", id);
            json.set("before", before);
            json.set("after", after);
            return json;
        }
    }

    /** Requested proposal. */
    public record Draft(String reason, Optional<Instant> expiresAt, boolean allowUnknown) {
        static final int REASON_MAX = 2_000;
        static final Duration EXPIRES_AFTER = Duration.ofDays(7);
        static final Duration EXPIRES_AFTER_MAX = Duration.ofDays(90);

        public Draft {
            new Validator()
                    .require(
                            !reason.isBlank() && reason.length() <= REASON_MAX && Validator.isProse(reason),
                            "reason",
                            reason,
                            "must be text of 1 to " + REASON_MAX + " characters")
                    .throwIfInvalid();
        }

        Instant end(Instant now) {
            Instant end = expiresAt.orElse(now.plus(EXPIRES_AFTER));
            new Validator()
                    .require(
                            end.isAfter(now) && !end.isAfter(now.plus(EXPIRES_AFTER_MAX)),
                            "expires_at",
                            end,
                            "must be in the next " + EXPIRES_AFTER_MAX.toDays() + " days")
                    .throwIfInvalid();
            return end;
        }
    }
}
