package io.meridian.config.proposals;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.audit.Actor;
import io.meridian.config.audit.AuditTrail;
import io.meridian.config.database.Database;
import io.meridian.config.database.Database.Session;
import io.meridian.config.database.Timestamps;
import io.meridian.config.proposals.Proposal.Decision;
import io.meridian.config.proposals.Proposal.Draft;
import io.meridian.config.proposals.Proposal.ProposedChange;
import io.meridian.config.proposals.Proposal.State;
import io.meridian.config.proposals.ProposalRefusedException.Reason;
import io.meridian.config.rules.ChangeGuard;
import io.meridian.config.rules.ChangeResult;
import io.meridian.config.rules.ChangeResult.Effect;
import io.meridian.config.rules.ChangeResult.EntryOutcome;
import io.meridian.config.rules.EntryChange;
import io.meridian.config.rules.EntryTables;
import io.meridian.config.rules.StoredEntry;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.time.TimeSource;
import io.meridian.model.validation.EnumNames;
import io.meridian.model.validation.FieldError;
import io.meridian.model.validation.Validator;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Store of proposals and their transitions, each in one transaction with its row in the audit trail. Bounded: at most
 * {@value #PENDING_MAX} pending proposals of at most {@value #CHANGES_MAX} changes; ended ones are deleted after 90 days.
 */
@Singleton
public class ProposalStore {
    /** The most proposals that are open or approved; further ones are refused. */
    public static final int PENDING_MAX = 1_000;

    /** The most changes of one proposal. */
    public static final int CHANGES_MAX = 100;

    private static final Duration KEPT_AFTER_END = Duration.ofDays(90);
    private static final String AUDIT_KIND = "proposal";

    private final Database database;
    private final TimeSource time;

    ProposalStore(Database database, TimeSource time) {
        this.database = database;
        this.time = time;
    }

    /**
     * Creates a proposal; a dry run returns it with the id 0.
     *
     * @param planned the outcome of each change by the rules of now
     */
    public Proposal create(Actor actor, Draft draft, List<EntryOutcome> planned, boolean dryRun) {
        Instant now = now();
        Proposal proposal = new Proposal(
                0,
                draft.reason(),
                planned.stream().map(ProposedChange::of).toList(),
                draft.allowUnknown(),
                actor.name(),
                now,
                draft.end(now),
                State.OPEN,
                Decision.NONE);
        new Validator()
                .require(
                        planned.stream().anyMatch(outcome -> outcome.effect() != Effect.UNCHANGED),
                        "changes",
                        planned.size() + " changes",
                        "must change something")
                .throwIfInvalid();
        return database.transaction(session -> {
            ProposalTable.lockForCreation(session);
            long pending = ProposalTable.pending(session, now);
            if (pending >= PENDING_MAX) {
                throw new ProposalRefusedException(
                        Reason.CONFLICT,
                        "there are " + pending + " pending proposals, and at most " + PENDING_MAX
                                + " may be: apply, reject or withdraw some");
            }
            if (dryRun) {
                return proposal;
            }
            ProposalTable.deleteEnded(session, now.minus(KEPT_AFTER_END));
            Proposal created = withId(proposal, ProposalTable.insert(session, proposal));
            audit(session, actor, now, "proposed", created, Optional.empty());
            return created;
        });
    }

    public Proposal find(long id) {
        return database.read(session -> ProposalTable.find(session, id, now()))
                .orElseThrow(() -> ProposalRefusedException.missing(id));
    }

    /** Latest first, one more than {@code limit} if another page follows. */
    public List<Proposal> page(Optional<State> state, Optional<String> author, Optional<Long> before, int limit) {
        return database.read(session -> ProposalTable.page(session, state, author, before, limit + 1, now()));
    }

    /** The entries that changed since the proposal was made. */
    public List<FieldError> conflicts(Proposal proposal) {
        List<RuleEntry.Key> keys = proposal.changes().stream()
                .map(change -> change.kind().key(change.id()))
                .toList();
        return database.read(session -> conflicts(proposal, EntryTables.find(session, keys)));
    }

    private static List<FieldError> conflicts(Proposal proposal, Map<RuleEntry.Key, StoredEntry> stored) {
        List<FieldError> conflicts = new ArrayList<>();
        for (ProposedChange change : proposal.changes()) {
            change.conflict(stored.get(change.kind().key(change.id()))).ifPresent(conflicts::add);
        }
        return conflicts;
    }

    /** Approves an open proposal of somebody else. */
    public Proposal approve(Actor actor, long id, boolean dryRun) {
        return decide(actor, id, dryRun, "approved", (proposal, now) -> {
            requireOther(actor, proposal, "approved");
            requireState(proposal, Set.of(State.OPEN), "approved");
            return with(proposal, State.APPROVED, new Decision(actor.name(), now, null, null, null));
        });
    }

    /** Rejects a pending proposal of somebody else. */
    public Proposal reject(Actor actor, long id, boolean dryRun) {
        return decide(actor, id, dryRun, "rejected", (proposal, now) -> {
            requireOther(actor, proposal, "rejected");
            requireState(proposal, Set.of(State.OPEN, State.APPROVED), "rejected");
            return with(proposal, State.REJECTED, closed(proposal, actor, now, null));
        });
    }

    /** Withdraws a pending proposal of one's own. */
    public Proposal withdraw(Actor actor, long id, boolean dryRun) {
        return decide(actor, id, dryRun, "withdrawn", (proposal, now) -> {
            if (!proposal.author().equals(actor.name())) {
                throw new ProposalRefusedException(
                        Reason.FORBIDDEN,
                        "proposal " + id + " is withdrawn by its author, " + proposal.author()
                                + "; others may reject it");
            }
            requireState(proposal, Set.of(State.OPEN, State.APPROVED), "withdrawn");
            return with(proposal, State.WITHDRAWN, closed(proposal, actor, now, null));
        });
    }

    private interface Transition {
        Proposal of(Proposal proposal, Instant now);
    }

    private Proposal decide(Actor actor, long id, boolean dryRun, String action, Transition transition) {
        Instant now = now();
        return database.transaction(session -> {
            Proposal before =
                    ProposalTable.lock(session, id, now).orElseThrow(() -> ProposalRefusedException.missing(id));
            Proposal after = transition.of(before, now);
            if (!dryRun) {
                ProposalTable.update(session, after);
                audit(session, actor, now, action, after, Optional.of(before));
            }
            return after;
        });
    }

    /**
     * Guard of the transaction that applies a proposal: it is approved and has not expired, no entry has changed since it was made, and it
     * becomes applied together with its changes. A dry run may precede the approval.
     */
    public ChangeGuard applying(Actor actor, long id, boolean dryRun) {
        return new ChangeGuard() {
            @Override
            public void admit(Session session, List<EntryChange> changes, Map<RuleEntry.Key, StoredEntry> stored) {
                Proposal proposal = locked(session, id, now());
                requireState(proposal, dryRun ? Set.of(State.OPEN, State.APPROVED) : Set.of(State.APPROVED), "applied");
                List<FieldError> conflicts = conflicts(proposal, stored);
                if (!conflicts.isEmpty()) {
                    throw new ProposalRefusedException(conflicts);
                }
            }

            @Override
            public void written(Session session, ChangeResult result, Instant now) {
                Proposal before = locked(session, id, now);
                Proposal after = with(before, State.APPLIED, closed(before, actor, now, result.revision()));
                ProposalTable.update(session, after);
                audit(session, actor, now, "applied", after, Optional.of(before));
            }
        };
    }

    private static Proposal locked(Session session, long id, Instant now) {
        return ProposalTable.lock(session, id, now).orElseThrow(() -> ProposalRefusedException.missing(id));
    }

    private static void requireOther(Actor actor, Proposal proposal, String action) {
        if (proposal.author().equals(actor.name())) {
            throw new ProposalRefusedException(
                    Reason.FORBIDDEN,
                    "proposal " + proposal.id() + " is " + action + " by another editor than its author, "
                            + proposal.author());
        }
    }

    private static void requireState(Proposal proposal, Set<State> states, String action) {
        if (!states.contains(proposal.state())) {
            throw new ProposalRefusedException(
                    Reason.CONFLICT,
                    "proposal " + proposal.id() + " is " + EnumNames.text(proposal.state()) + ", and only one that is "
                            + String.join(
                                    " or ",
                                    states.stream()
                                            .map(EnumNames::text)
                                            .sorted()
                                            .toList())
                            + " can be " + action);
        }
    }

    private static Decision closed(Proposal proposal, Actor actor, Instant now, @Nullable Long revision) {
        return new Decision(
                proposal.decision().approvedBy(), proposal.decision().approvedAt(), actor.name(), now, revision);
    }

    private static Proposal with(Proposal proposal, State state, Decision decision) {
        return new Proposal(
                proposal.id(),
                proposal.reason(),
                proposal.changes(),
                proposal.allowUnknown(),
                proposal.author(),
                proposal.createdAt(),
                proposal.expiresAt(),
                state,
                decision);
    }

    private static Proposal withId(Proposal proposal, long id) {
        return new Proposal(
                id,
                proposal.reason(),
                proposal.changes(),
                proposal.allowUnknown(),
                proposal.author(),
                proposal.createdAt(),
                proposal.expiresAt(),
                proposal.state(),
                proposal.decision());
    }

    private static void audit(
            Session session, Actor actor, Instant now, String action, Proposal after, Optional<Proposal> before) {
        AuditTrail.Row row = new AuditTrail.Row(
                action,
                AUDIT_KIND,
                Long.toString(after.id()),
                after.decision().revision(),
                before.map(ProposalStore::toJson),
                Optional.of(toJson(after)));
        AuditTrail.append(session, actor, now, List.of(row));
    }

    /** The form in the audit trail, which has the changes as entries when they are applied. */
    private static ObjectNode toJson(Proposal proposal) {
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("state", EnumNames.text(proposal.state()))
                .put("reason", proposal.reason())
                .put("author", proposal.author())
                .put("approved_by", proposal.decision().approvedBy())
                .put("expires_at", proposal.expiresAt().toString());
        ArrayNode entries = json.putArray("entries");
        proposal.changes().forEach(change -> entries.add(change.kind().label() + " " + change.id()));
        return json;
    }

    private Instant now() {
        return Timestamps.ofMicros(time.wallMicros());
    }
}
