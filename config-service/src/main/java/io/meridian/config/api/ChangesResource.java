package io.meridian.config.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.access.AdminRole;
import io.meridian.config.api.AccessFilter.RequiresRole;
import io.meridian.config.api.ChangeExecutor.Options;
import io.meridian.config.rules.ChangeResult;
import io.meridian.config.rules.ChangeResult.EntryOutcome;
import io.meridian.config.rules.EntryChange;
import io.meridian.config.rules.EntryChange.Precondition;
import io.meridian.config.rules.EntryDocument;
import io.meridian.config.rules.EntryKind;
import io.meridian.config.rules.EntryQueries;
import io.meridian.config.rules.RuleStore;
import io.meridian.config.rules.StoredEntry;
import io.meridian.model.validation.EnumNames;
import io.meridian.model.validation.FieldError;
import io.meridian.model.validation.ValidationException;
import io.meridian.model.wire.MalformedException;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

/** Sets of changes, made all or none, and the revision that the sets may be conditional on. */
@Path(EntriesResource.BASE + "changes")
@Blocking
@Produces(MediaType.APPLICATION_JSON)
class ChangesResource {
    private static final int BYTES_MAX = 16 << 20;

    private final ChangeExecutor executor;

    ChangesResource(ChangeExecutor executor) {
        this.executor = executor;
    }

    public record ChangesAnswer(long revision, List<ChangeItem> results, List<String> warnings) {}

    /**
     * Result for one entry.
     *
     * @param entry its stored form; null if it was deleted
     */
    public record ChangeItem(
            String kind,
            String id,
            String op,
            @Schema(implementation = Object.class) @Nullable ObjectNode entry) {
        static ChangeItem of(EntryOutcome outcome) {
            return new ChangeItem(
                    EntryKind.of(outcome.key()).label(),
                    EntryKind.id(outcome.key()),
                    EnumNames.text(outcome.effect()),
                    outcome.after().map(EntryDocument::write).orElse(null));
        }
    }

    @POST
    @RequiresRole(AdminRole.EDITOR)
    @Consumes(MediaType.APPLICATION_JSON)
    public RestResponse<ChangesAnswer> change(InputStream body, @Context UriInfo uri, @Context HttpHeaders headers) {
        Options options = Options.of(uri);
        Precondition whole = Preconditions.ofWhole(headers);
        JsonNode document = JsonBody.read(body, BYTES_MAX);
        JsonBody.requireFields(document, "the body", Set.of("changes"));
        ChangeResult result =
                executor.apply(ChangeList.read(document.path("changes"), RuleStore.CHANGES_MAX), whole, options);
        return answer(result, options);
    }

    static RestResponse<ChangesAnswer> answer(ChangeResult result, Options options) {
        RestResponse.ResponseBuilder<ChangesAnswer> answer = RestResponse.ResponseBuilder.ok(new ChangesAnswer(
                result.revision(),
                result.outcomes().stream().map(ChangeItem::of).toList(),
                result.warnings()));
        return (options.dryRun() ? answer.header(EntryAnswers.DRY_RUN, "true") : answer).build();
    }

    /** Parser of a list of changes, which reports all errors at once with their places: {@code changes[3].limit}. */
    static final class ChangeList {
        private static final String PUT = "put";
        private static final String DELETE = "delete";
        private static final String KINDS =
                Arrays.stream(EntryKind.values()).map(EntryKind::label).collect(Collectors.joining(", "));

        private final List<EntryChange> changes = new ArrayList<>();
        private final List<FieldError> violations = new ArrayList<>();

        private ChangeList() {}

        static List<EntryChange> read(JsonNode changes, int max) {
            if (!changes.isArray() || changes.isEmpty() || changes.size() > max) {
                throw Refusal.of(
                        AdminErrorCode.INVALID,
                        "changes",
                        changes.isArray() ? changes.size() + " changes" : changes.toString(),
                        "must be a list of 1 to " + max + " changes");
            }
            ChangeList list = new ChangeList();
            for (int i = 0; i < changes.size(); i++) {
                list.add(changes.get(i), "changes[" + i + "]");
            }
            if (!list.violations.isEmpty()) {
                throw new ValidationException(list.violations);
            }
            return list.changes;
        }

        private void add(JsonNode change, String place) {
            String op = change.path("op").asText();
            JsonBody.requireFields(
                    change, place, op.equals(DELETE) ? Set.of("op", "kind", "id") : Set.of("op", "kind", "entry"));
            String label = change.path("kind").asText();
            if (!op.equals(PUT) && !op.equals(DELETE)) {
                violations.add(new FieldError(place + ".op", op, "must be one of put, delete"));
            }
            EntryKind.labelled(label)
                    .ifPresentOrElse(
                            kind -> read(kind, change, op, place),
                            () -> violations.add(new FieldError(place + ".kind", label, "must be one of " + KINDS)));
        }

        private void read(EntryKind kind, JsonNode change, String op, String place) {
            try {
                changes.add(
                        op.equals(DELETE)
                                ? new EntryChange.Delete(
                                        kind.key(change.path("id").asText()), Precondition.ALWAYS)
                                : new EntryChange.Put(
                                        EntryDocument.read(kind, change.path("entry")), Precondition.ALWAYS));
            } catch (ValidationException invalid) {
                invalid.errors()
                        .forEach(each ->
                                violations.add(new FieldError(place + "." + each.field(), each.value(), each.rule())));
            } catch (MalformedException malformed) {
                throw Refusal.of(
                        malformed.unknownFields().isEmpty()
                                ? AdminErrorCode.MALFORMED_BODY
                                : AdminErrorCode.UNKNOWN_FIELD,
                        place + ": " + malformed.getMessage());
            }
        }
    }

    /** The revision of the rules. */
    @Path(EntriesResource.BASE + "revision")
    @Blocking
    @Produces(MediaType.APPLICATION_JSON)
    static class RevisionResource {
        private final EntryQueries entries;

        RevisionResource(EntryQueries entries) {
            this.entries = entries;
        }

        @GET
        @RequiresRole(AdminRole.VIEWER)
        public RestResponse<RevisionAnswer> get(@Context UriInfo uri) {
            Query.of(uri);
            long revision = entries.revision();
            return RestResponse.ResponseBuilder.ok(new RevisionAnswer(revision))
                    .header(HttpHeaders.ETAG, StoredEntry.etag(revision))
                    .build();
        }

        public record RevisionAnswer(long revision) {}
    }
}
