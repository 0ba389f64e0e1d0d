package io.meridian.config.proposals;

import io.meridian.model.validation.FieldError;
import java.util.List;

/** Refusal of a transition of a proposal. Without a stack trace: it is an answer, not a fault. */
public final class ProposalRefusedException extends RuntimeException {
    /** Reasons of a refusal. */
    public enum Reason {
        NOT_FOUND,
        /** The caller may not make the transition. */
        FORBIDDEN,
        /** The state of the proposal, or of the entries that it changes, does not allow it. */
        CONFLICT
    }

    private final Reason reason;
    private final transient List<FieldError> conflicts;

    ProposalRefusedException(Reason reason, String detail) {
        super(detail, null, false, false);
        this.reason = reason;
        this.conflicts = List.of();
    }

    /** Entries changed since the proposal was made. */
    ProposalRefusedException(List<FieldError> conflicts) {
        super("entries have changed since they were proposed", null, false, false);
        this.reason = Reason.CONFLICT;
        this.conflicts = List.copyOf(conflicts);
    }

    static ProposalRefusedException missing(long id) {
        return new ProposalRefusedException(Reason.NOT_FOUND, "there is no proposal " + id);
    }

    public Reason reason() {
        return reason;
    }

    /** The entries that changed; empty for another reason. */
    public List<FieldError> conflicts() {
        return conflicts;
    }
}
