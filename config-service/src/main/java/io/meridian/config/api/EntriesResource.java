package io.meridian.config.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.access.Role;
import io.meridian.config.rulebook.Condition;
import io.meridian.config.rulebook.Entries;
import io.meridian.config.rulebook.EntryForm;
import io.meridian.config.rulebook.EntryIds;
import io.meridian.config.rulebook.Filter;
import io.meridian.config.rulebook.Kind;
import io.meridian.config.rulebook.Op;
import io.meridian.config.rulebook.Page;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.validation.Validator;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.io.InputStream;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The verbs of one kind of entries. */
@Blocking
@Produces(MediaType.APPLICATION_JSON)
abstract class EntriesResource {
    static final String BASE = "/admin/api/v1/";
    static final String MERGE_PATCH = "application/merge-patch+json";

    private final Kind kind;
    private final Entries entries;
    private final Changing changing;
    private final KnownFilters known;

    EntriesResource(Kind kind, Entries entries, Changing changing, KnownFilters known) {
        this.kind = kind;
        this.entries = entries;
        this.changing = changing;
        this.known = known;
    }

    @GET
    @Needs(Role.VIEWER)
    public Response list(@Context UriInfo uri) {
        Set<String> parameters = new TreeSet<>(Filter.fields(kind));
        parameters.add(Query.LIMIT);
        parameters.add(Query.CURSOR);
        Query query = Query.of(uri, parameters);
        Map<String, String> values = new TreeMap<>();
        Filter.fields(kind).forEach(field -> query.text(field).ifPresent(value -> values.put(field, value)));
        Page page = entries.page(new Filter(kind, values), query.after(), query.limit());
        if (page.items().isEmpty()) {
            known.foundNothing(query);
        }
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        ArrayNode items = answer.putArray("items");
        page.items().forEach(each -> items.add(EntryForm.write(each)));
        answer.put("next", page.next().map(Query::cursor).orElse(null));
        return Answers.asOf(Response.ok(answer.toString()), page.asOf()).build();
    }

    @POST
    @Needs(Role.EDITOR)
    @Consumes(MediaType.APPLICATION_JSON)
    public Response create(InputStream body, @Context UriInfo uri, @Context HttpHeaders headers) {
        Preconditions.forbidIfMatch(headers);
        RuleEntry entry = EntryForm.read(kind, JsonBody.read(body));
        return changing.one(new Op.Put(entry, new Condition.New()), ChangeOptions.of(uri));
    }

    @GET
    @Path("{id:.+}")
    @Needs(Role.VIEWER)
    public Response get(@PathParam("id") String id, @Context UriInfo uri, @Context HttpHeaders headers) {
        Query.of(uri);
        RuleEntry.Key key = EntryIds.read(kind, id);
        return Answers.found(key, entries.find(key), headers);
    }

    @PUT
    @Path("{id:.+}")
    @Needs(Role.EDITOR)
    @Consumes(MediaType.APPLICATION_JSON)
    public Response put(
            @PathParam("id") String id, InputStream body, @Context UriInfo uri, @Context HttpHeaders headers) {
        RuleEntry.Key key = EntryIds.read(kind, id);
        RuleEntry entry = EntryForm.read(kind, JsonBody.read(body));
        new Validator()
                .require(entry.key().equals(key), "id", EntryIds.of(entry.key()), "must be that of the path, " + id)
                .throwIfInvalid();
        return changing.one(new Op.Put(entry, Preconditions.of(headers)), ChangeOptions.of(uri));
    }

    @PATCH
    @Path("{id:.+}")
    @Needs(Role.EDITOR)
    @Consumes({MERGE_PATCH, MediaType.APPLICATION_JSON})
    public Response patch(
            @PathParam("id") String id, InputStream body, @Context UriInfo uri, @Context HttpHeaders headers) {
        JsonNode patch = JsonBody.read(body);
        if (!patch.isObject()) {
            throw Refusal.of(ErrorCode.MALFORMED_BODY, "a merge patch must be an object, got " + patch.getNodeType());
        }
        Op op = new Op.Patch(EntryIds.read(kind, id), patch, Preconditions.of(headers));
        return changing.one(op, ChangeOptions.of(uri));
    }

    @DELETE
    @Path("{id:.+}")
    @Needs(Role.EDITOR)
    public Response delete(@PathParam("id") String id, @Context UriInfo uri, @Context HttpHeaders headers) {
        Op op = new Op.Delete(EntryIds.read(kind, id), Preconditions.of(headers));
        return changing.one(op, ChangeOptions.ofDryRun(uri));
    }
}
