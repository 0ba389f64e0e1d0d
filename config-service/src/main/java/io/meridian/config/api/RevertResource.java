package io.meridian.config.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.meridian.config.access.AdminRole;
import io.meridian.config.api.AccessFilter.RequiresRole;
import io.meridian.config.api.ChangeExecutor.Options;
import io.meridian.config.api.ChangesResource.ChangesAnswer;
import io.meridian.config.audit.AuditReader;
import io.meridian.config.audit.AuditReader.AuditItem;
import io.meridian.config.database.Database.Session;
import io.meridian.config.rules.ChangeGuard;
import io.meridian.config.rules.EntryChange;
import io.meridian.config.rules.EntryChange.Precondition;
import io.meridian.config.rules.EntryDocument;
import io.meridian.config.rules.EntryKind;
import io.meridian.config.rules.StoredEntry;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.validation.FieldError;
import io.meridian.model.validation.ValidationException;
import io.meridian.model.wire.MalformedException;
import io.meridian.service.http.Problem;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jboss.resteasy.reactive.RestResponse;

/** Revert of one change in the audit trail: the state before it, as a new change. */
@Path(EntriesResource.BASE + "audit/{id}/revert")
@Blocking
@Produces(MediaType.APPLICATION_JSON)
class RevertResource {
    /** Bound on the later changes that an answer names. */
    private static final int LATER_MAX = 20;

    private static final Set<String> CHANGES = Set.of("created", "replaced", "deleted");

    private final AuditReader trail;
    private final ChangeExecutor executor;

    RevertResource(AuditReader trail, ChangeExecutor executor) {
        this.trail = trail;
        this.executor = executor;
    }

    @POST
    @RequiresRole(AdminRole.EDITOR)
    public RestResponse<ChangesAnswer> revert(@PathParam("id") String id, @Context UriInfo uri) {
        Options options = Options.of(uri);
        AuditItem item =
                id.matches("[0-9]{1,18}") ? trail.find(Long.parseLong(id)).orElseThrow(() -> missing(id)) : fail(id);
        EntryChange change = inverse(item);
        return ChangesResource.answer(
                executor.apply(
                        List.of(change),
                        Precondition.ALWAYS,
                        options,
                        executor.direct().and(new Unchanged(item))),
                options);
    }

    private static AuditItem fail(String id) {
        throw missing(id);
    }

    private static Refusal missing(String id) {
        return Refusal.of(AdminErrorCode.NOT_FOUND, "there is no row " + id + " in the audit trail");
    }

    private static EntryChange inverse(AuditItem item) {
        EntryKind kind = EntryKind.labelled(item.kind())
                .filter(known -> CHANGES.contains(item.action()))
                .orElseThrow(() -> Refusal.of(
                        AdminErrorCode.INVALID,
                        "id",
                        Long.toString(item.id()),
                        "must be a change of one entry, and this row is " + item.action() + " of a " + item.kind()));
        if (item.before().isNull()) {
            return new EntryChange.Delete(kind.key(item.entryId()), Precondition.ALWAYS);
        }
        try {
            return new EntryChange.Put(EntryDocument.read(kind, item.before()), Precondition.ALWAYS);
        } catch (ValidationException | MalformedException outdated) {
            throw Refusal.of(
                    AdminErrorCode.INVALID,
                    "before",
                    item.kind() + " " + item.entryId(),
                    "must be valid by the rules of today: " + outdated.getMessage());
        }
    }

    /** Guard of a revert: the entry is still as the reverted change left it. */
    private record Unchanged(AuditItem item) implements ChangeGuard {
        @Override
        public void admit(Session session, List<EntryChange> changes, Map<RuleEntry.Key, StoredEntry> stored) {
            StoredEntry present = stored.get(changes.get(0).key());
            JsonNode after = item.after();
            boolean same =
                    present == null ? after.isNull() : after.path("version").asLong() == present.version();
            if (same) {
                return;
            }
            String entry = item.kind() + " " + item.entryId();
            List<FieldError> later = new ArrayList<>();
            for (AuditItem each : AuditReader.laterChanges(session, item, LATER_MAX)) {
                later.add(new FieldError(
                        "audit " + each.id(),
                        each.action() + " by " + each.actor() + " at " + each.at(),
                        "must be reverted first: it is a later change of " + entry));
            }
            throw Refusal.of(
                    later.isEmpty()
                            ? Problem.of(AdminErrorCode.CONFLICT, entry + " was changed later, by an import")
                            : Problem.of(AdminErrorCode.CONFLICT, later),
                    Map.of());
        }
    }
}
