package io.meridian.config.api;

import jakarta.ws.rs.GET;
import io.meridian.config.rules.Revisions;
import io.meridian.config.rules.EntryReader;
import java.util.stream.Collectors;
import java.util.Set;
import java.util.List;
import java.util.Arrays;
import java.util.ArrayList;
import io.meridian.model.wire.MalformedException;
import io.meridian.model.rule.Violation;
import io.meridian.model.rule.InvalidException;
import io.meridian.config.rules.RuleStore;
import io.meridian.config.rules.EntryChange;
import com.fasterxml.jackson.databind.JsonNode;
import io.meridian.config.api.ChangeExecutor.Options;
import io.meridian.config.api.AccessFilter.RequiresRole;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.access.Role;
import io.meridian.config.rules.ChangeResult;
import io.meridian.config.rules.EntryChange.Precondition;
import io.meridian.config.rules.EntryDocument;
import io.meridian.config.rules.EntryIds;
import io.meridian.config.rules.EntryKind;
import io.meridian.config.rules.ChangeResult.EntryOutcome;
import io.meridian.model.policy.Choice;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.io.InputStream;

/** Many changes at once: all of them or none. */
@Path(EntriesResource.BASE + "changes")
@Blocking
@Produces(MediaType.APPLICATION_JSON)
class ChangesResource {
    private static final int BYTES_MAX = 16 << 20;

    private final ChangeExecutor changing;

    ChangesResource(ChangeExecutor changing) {
        this.changing = changing;
    }

    @POST
    @RequiresRole(Role.EDITOR)
    @Consumes(MediaType.APPLICATION_JSON)
    public Response change(InputStream body, @Context UriInfo uri, @Context HttpHeaders headers) {
        Options options = Options.of(uri);
        Precondition whole = Preconditions.ofWhole(headers);
        ChangeResult applied = changing.apply(ChangeList.read(JsonBody.read(body, BYTES_MAX)), whole, options);
        ObjectNode answer = JsonNodeFactory.instance.objectNode().put("revision", applied.revision());
        ArrayNode results = answer.putArray("results");
        applied.outcomes().forEach(outcome -> results.add(result(outcome)));
        Answers.warnings(answer, applied.warnings());
        Response.ResponseBuilder response = Response.ok(answer.toString());
        return (options.dryRun() ? response.header(Answers.DRY_RUN, "true") : response).build();
    }

    private static ObjectNode result(EntryOutcome outcome) {
        ObjectNode result = JsonNodeFactory.instance
                .objectNode()
                .put("kind", EntryKind.of(outcome.key()).label())
                .put("id", EntryIds.of(outcome.key()))
                .put("op", Choice.text(outcome.what()));
        result.set("entry", outcome.after().map(EntryDocument::write).orElse(null));
        return result;
    }

    /** Reads a list of changes. All that is wrong is named at once, each under its place: {@code changes[3].limit}. */
    static final class ChangeList {
        private static final String PUT = "put";
        private static final String DELETE = "delete";
        private static final String KINDS =
                Arrays.stream(EntryKind.values()).map(EntryKind::label).collect(Collectors.joining(", "));

        private final List<EntryChange> ops = new ArrayList<>();
        private final List<Violation> violations = new ArrayList<>();

        private ChangeList() {}

        static List<EntryChange> read(JsonNode body) {
            JsonFieldNames.require(body, "the body", Set.of("changes"));
            JsonNode changes = body.path("changes");
            if (!changes.isArray() || changes.isEmpty() || changes.size() > RuleStore.CHANGES_MAX) {
                throw Refusal.of(
                        ErrorCode.INVALID,
                        "changes",
                        changes.isArray() ? changes.size() + " changes" : changes.toString(),
                        "must be a list of 1 to " + RuleStore.CHANGES_MAX + " changes");
            }
            ChangeList list = new ChangeList();
            for (int i = 0; i < changes.size(); i++) {
                list.add(changes.get(i), "changes[" + i + "]");
            }
            if (!list.violations.isEmpty()) {
                throw new InvalidException(list.violations);
            }
            return list.ops;
        }

        private void add(JsonNode change, String place) {
            String op = change.path("op").asText();
            JsonFieldNames.require(
                    change, place, op.equals(DELETE) ? Set.of("op", "kind", "id") : Set.of("op", "kind", "entry"));
            String label = change.path("kind").asText();
            if (!op.equals(PUT) && !op.equals(DELETE)) {
                violations.add(new Violation(place + ".op", op, "must be one of put, delete"));
            }
            EntryKind.labelled(label)
                    .ifPresentOrElse(
                            kind -> read(kind, change, op, place),
                            () -> violations.add(new Violation(place + ".kind", label, "must be one of " + KINDS)));
        }

        private void read(EntryKind kind, JsonNode change, String op, String place) {
            try {
                ops.add(
                        op.equals(DELETE)
                                ? new EntryChange.Delete(
                                        EntryIds.read(kind, change.path("id").asText()), Precondition.ALWAYS)
                                : new EntryChange.Put(EntryDocument.read(kind, change.path("entry")), Precondition.ALWAYS));
            } catch (InvalidException invalid) {
                invalid.violations()
                        .forEach(each ->
                                violations.add(new Violation(place + "." + each.field(), each.value(), each.rule())));
            } catch (MalformedException malformed) {
                throw Refusal.of(
                        malformed.unknownFields().isEmpty() ? ErrorCode.MALFORMED_BODY : ErrorCode.UNKNOWN_FIELD,
                        place + ": " + malformed.getMessage());
            }
        }
    }

    /** How many changes the rulebook has seen. */
    @Path(EntriesResource.BASE + "revision")
    @Blocking
    @Produces(MediaType.APPLICATION_JSON)
    static class RevisionResource {
        private final EntryReader entries;

        RevisionResource(EntryReader entries) {
            this.entries = entries;
        }

        @GET
        @RequiresRole(Role.VIEWER)
        public Response get(@Context UriInfo uri) {
            Query.of(uri);
            long revision = entries.revision();
            return Response.ok(JsonNodeFactory.instance
                            .objectNode()
                            .put("revision", revision)
                            .toString())
                    .header(HttpHeaders.ETAG, Revisions.etag(revision))
                    .build();
        }
    }
}
