package io.meridian.config.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.access.AdminRole;
import io.meridian.config.api.AccessFilter.RequiresRole;
import io.meridian.config.api.ChangeExecutor.Options;
import io.meridian.config.api.ChangesResource.ChangeList;
import io.meridian.config.api.ChangesResource.ChangesAnswer;
import io.meridian.config.proposals.Proposal;
import io.meridian.config.proposals.Proposal.Decision;
import io.meridian.config.proposals.Proposal.Draft;
import io.meridian.config.proposals.Proposal.ProposedChange;
import io.meridian.config.proposals.Proposal.State;
import io.meridian.config.proposals.ProposalStore;
import io.meridian.config.rules.ChangeGuard;
import io.meridian.config.rules.ChangeResult.EntryOutcome;
import io.meridian.config.rules.EntryChange;
import io.meridian.config.rules.EntryChange.Precondition;
import io.meridian.model.rules.Expiry;
import io.meridian.model.validation.EnumNames;
import io.meridian.model.validation.FieldError;
import io.meridian.model.validation.Validator;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

/** Proposals: created, read, approved by another editor, applied; or rejected, or withdrawn. */
@Path(EntriesResource.BASE + "proposals")
@Blocking
@Produces(MediaType.APPLICATION_JSON)
class ProposalsResource {
    private static final Set<String> FIELDS = Set.of("reason", "changes", "expires_at");
    private static final String EXAMPLE = """
            {"reason": "double the limit for the sale", "expires_at": "2026-12-01T00:00:00Z",
             "changes": [{"op": "put", "kind": "policy", "entry": {"id": "api-default", "key": ["api_key"],
              "algorithm": "sliding_window_counter", "limit": 2000, "window": "1h", "protected": true}}]}""";

    private final ProposalStore proposals;
    private final ChangeExecutor executor;
    private final CallContext call;

    ProposalsResource(ProposalStore proposals, ChangeExecutor executor, CallContext call) {
        this.proposals = proposals;
        this.executor = executor;
        this.call = call;
    }

    /** Body of a new proposal, for the schema. */
    @JsonNaming(SnakeCaseStrategy.class)
    public record ProposalRequest(
            String reason,
            @Schema(implementation = Object[].class) List<Object> changes,
            @Nullable String expiresAt) {}

    public record ProposalPage(
            List<ProposalItem> items, @Nullable String next) {}

    /**
     * Proposal in answers.
     *
     * @param id null in a dry run
     * @param changes absent in lists
     * @param conflicts entries that changed since; absent in lists, and once the proposal has ended
     */
    @JsonNaming(SnakeCaseStrategy.class)
    public record ProposalItem(
            @Nullable Long id,

            @Schema(enumeration = {"open", "approved", "applied", "rejected", "withdrawn", "expired"})
            String state,

            @Schema(examples = "double the limit for the sale")
            String reason,

            String author,
            String createdAt,
            String expiresAt,
            @Nullable String approvedBy,
            @Nullable String approvedAt,
            @Nullable String closedBy,
            @Nullable String closedAt,
            @Nullable Long revision,
            boolean allowUnknown,
            int changeCount,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<ChangeEntry> changes,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<ConflictItem> conflicts) {
        static ProposalItem of(Proposal proposal, @Nullable List<FieldError> conflicts) {
            Decision decision = proposal.decision();
            return new ProposalItem(
                    proposal.id() == 0 ? null : proposal.id(),
                    EnumNames.text(proposal.state()),
                    proposal.reason(),
                    proposal.author(),
                    proposal.createdAt().toString(),
                    proposal.expiresAt().toString(),
                    decision.approvedBy(),
                    text(decision.approvedAt()),
                    decision.closedBy(),
                    text(decision.closedAt()),
                    decision.revision(),
                    proposal.allowUnknown(),
                    proposal.changes().size(),
                    conflicts == null
                            ? null
                            : proposal.changes().stream().map(ChangeEntry::of).toList(),
                    conflicts == null || isEnded(proposal)
                            ? null
                            : conflicts.stream().map(ConflictItem::of).toList());
        }

        private static @Nullable String text(@Nullable Instant time) {
            return time == null ? null : time.toString();
        }
    }

    /**
     * One proposed change.
     *
     * @param before the entry when the change was proposed; null if there was none
     * @param after the entry that is to be; null if it is to be deleted
     */
    public record ChangeEntry(
            @Schema(examples = "policy") String kind,
            @Schema(examples = "api-default") String id,
            @Schema(enumeration = {"put", "delete"}) String op,
            @Schema(implementation = Object.class) @Nullable ObjectNode before,
            @Schema(implementation = Object.class) @Nullable ObjectNode after) {
        static ChangeEntry of(ProposedChange change) {
            return new ChangeEntry(
                    change.kind().label(),
                    change.id(),
                    change.after() == null ? "delete" : "put",
                    change.before(),
                    change.after());
        }
    }

    /** Entry that changed since it was proposed to change it. */
    public record ConflictItem(
            @Schema(examples = "policy api-default") String entry,
            @Schema(examples = "at version 4") String now,
            String rule) {
        static ConflictItem of(FieldError conflict) {
            return new ConflictItem(conflict.field(), conflict.value(), conflict.rule());
        }
    }

    @POST
    @RequiresRole(AdminRole.EDITOR)
    @Consumes(MediaType.APPLICATION_JSON)
    public RestResponse<ProposalItem> create(
            @RequestBody(
                            required = true,
                            content =
                                    @Content(
                                            mediaType = MediaType.APPLICATION_JSON,
                                            schema = @Schema(implementation = ProposalRequest.class),
                                            example = EXAMPLE))
                    InputStream body,
            @Context UriInfo uri) {
        Options options = Options.of(uri);
        JsonNode document = JsonBody.read(body);
        JsonBody.requireFields(document, "a proposal", FIELDS);
        Draft draft = draft(document, options);
        List<EntryChange> changes = ChangeList.read(document.path("changes"), ProposalStore.CHANGES_MAX);
        List<EntryOutcome> planned = executor.apply(changes, Precondition.ALWAYS, options.asDryRun(), ChangeGuard.NONE)
                .outcomes()
                .subList(0, changes.size());
        Proposal proposal = proposals.create(call.actor(), draft, planned, options.dryRun());
        if (options.dryRun()) {
            return answer(proposal, true);
        }
        return RestResponse.ResponseBuilder.create(RestResponse.Status.CREATED, ProposalItem.of(proposal, List.of()))
                .header(HttpHeaders.LOCATION, EntriesResource.BASE + "proposals/" + proposal.id())
                .build();
    }

    private static Draft draft(JsonNode document, Options options) {
        Validator rules = new Validator();
        JsonNode reason = document.path("reason");
        rules.require(
                reason.isTextual(),
                "reason",
                reason.isMissingNode() ? "nothing" : reason,
                "must be a text that says why");
        JsonNode end = document.path("expires_at");
        boolean absent = end.isMissingNode() || end.isNull();
        rules.require(absent || end.isTextual(), "expires_at", end, "must be an RFC 3339 time in UTC");
        Optional<Instant> expiresAt = absent || !end.isTextual()
                ? Optional.empty()
                : rules.attempt(() -> Expiry.parse(end.asText()), Expiry.NEVER).time();
        rules.throwIfInvalid();
        return new Draft(reason.asText(), expiresAt, options.allowUnknown());
    }

    @GET
    @RequiresRole(AdminRole.VIEWER)
    public ProposalPage list(@Context UriInfo uri) {
        Query query = Query.of(uri, Query.LIMIT, Query.CURSOR, "state", "author");
        Optional<State> state = query.text("state").map(name -> EnumNames.find(State.class, name)
                .orElseThrow(() -> Refusal.of(
                        AdminErrorCode.INVALID, "state", name, "must be one of " + EnumNames.list(State.class))));
        List<Proposal> found = proposals.page(state, query.text("author"), query.afterNumber(), query.limit());
        List<Proposal> page = found.subList(0, Math.min(found.size(), query.limit()));
        return new ProposalPage(
                page.stream().map(each -> ProposalItem.of(each, null)).toList(),
                found.size() > page.size()
                        ? Query.cursor(Long.toString(page.get(page.size() - 1).id()))
                        : null);
    }

    @GET
    @Path("{id}")
    @RequiresRole(AdminRole.VIEWER)
    public ProposalItem get(@PathParam("id") String id, @Context UriInfo uri) {
        Query.of(uri);
        Proposal proposal = proposals.find(number(id));
        return ProposalItem.of(proposal, isEnded(proposal) ? List.of() : proposals.conflicts(proposal));
    }

    @POST
    @Path("{id}/approve")
    @RequiresRole(AdminRole.EDITOR)
    public RestResponse<ProposalItem> approve(@PathParam("id") String id, @Context UriInfo uri) {
        boolean dryRun = Query.dryRun(uri);
        return answer(proposals.approve(call.actor(), number(id), dryRun), dryRun);
    }

    @POST
    @Path("{id}/reject")
    @RequiresRole(AdminRole.EDITOR)
    public RestResponse<ProposalItem> reject(@PathParam("id") String id, @Context UriInfo uri) {
        boolean dryRun = Query.dryRun(uri);
        return answer(proposals.reject(call.actor(), number(id), dryRun), dryRun);
    }

    @POST
    @Path("{id}/withdraw")
    @RequiresRole(AdminRole.EDITOR)
    public RestResponse<ProposalItem> withdraw(@PathParam("id") String id, @Context UriInfo uri) {
        boolean dryRun = Query.dryRun(uri);
        return answer(proposals.withdraw(call.actor(), number(id), dryRun), dryRun);
    }

    /** Applies an approved proposal: its changes are made, or none is. */
    @POST
    @Path("{id}/apply")
    @RequiresRole(AdminRole.EDITOR)
    public RestResponse<ChangesAnswer> apply(@PathParam("id") String id, @Context UriInfo uri) {
        boolean dryRun = Query.dryRun(uri);
        Proposal proposal = proposals.find(number(id));
        Options options = new Options(dryRun, proposal.allowUnknown());
        List<EntryChange> changes =
                proposal.changes().stream().map(ProposedChange::toChange).toList();
        ChangeGuard guard = proposals.applying(call.actor(), proposal.id(), dryRun);
        return ChangesResource.answer(executor.apply(changes, Precondition.ALWAYS, options, guard), options);
    }

    private RestResponse<ProposalItem> answer(Proposal proposal, boolean dryRun) {
        List<FieldError> conflicts =
                isEnded(proposal) || proposal.id() == 0 ? List.of() : proposals.conflicts(proposal);
        RestResponse.ResponseBuilder<ProposalItem> answer =
                RestResponse.ResponseBuilder.ok(ProposalItem.of(proposal, conflicts));
        return (dryRun ? answer.header(EntryAnswers.DRY_RUN, "true") : answer).build();
    }

    private static boolean isEnded(Proposal proposal) {
        return Stream.of(State.OPEN, State.APPROVED).noneMatch(state -> state == proposal.state());
    }

    private static long number(String id) {
        if (!id.matches("[0-9]{1,18}")) {
            throw Refusal.of(AdminErrorCode.NOT_FOUND, "there is no proposal of this id");
        }
        return Long.parseLong(id);
    }
}
