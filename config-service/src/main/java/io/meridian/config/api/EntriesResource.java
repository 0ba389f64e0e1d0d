package io.meridian.config.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.access.AdminRole;
import io.meridian.config.api.AccessFilter.OpenToTenantAdmins;
import io.meridian.config.api.AccessFilter.RequiresRole;
import io.meridian.config.api.ChangeExecutor.Options;
import io.meridian.config.rules.EntryChange;
import io.meridian.config.rules.EntryChange.Precondition;
import io.meridian.config.rules.EntryDocument;
import io.meridian.config.rules.EntryFilter;
import io.meridian.config.rules.EntryKind;
import io.meridian.config.rules.EntryQueries;
import io.meridian.config.rules.EntryQueries.Page;
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

/** Endpoints of the entries of one kind; the nested classes are the kinds with their paths. */
@Blocking
@Produces(MediaType.APPLICATION_JSON)
abstract class EntriesResource {
    static final String BASE = "/admin/api/v1/";
    static final String MERGE_PATCH = "application/merge-patch+json";

    private final EntryKind kind;
    private final EntryQueries entries;
    private final ChangeExecutor executor;
    private final FilterCheck filters;
    private final TenantScope tenants;

    EntriesResource(
            EntryKind kind, EntryQueries entries, ChangeExecutor executor, FilterCheck filters, TenantScope tenants) {
        this.kind = kind;
        this.entries = entries;
        this.executor = executor;
        this.filters = filters;
        this.tenants = tenants;
    }

    @GET
    @RequiresRole(AdminRole.VIEWER)
    public Response list(@Context UriInfo uri) {
        Set<String> parameters = new TreeSet<>(EntryFilter.fields(kind));
        parameters.add(Query.LIMIT);
        parameters.add(Query.CURSOR);
        Query query = Query.of(uri, parameters);
        Map<String, String> values = new TreeMap<>();
        EntryFilter.fields(kind).forEach(field -> query.text(field).ifPresent(value -> values.put(field, value)));
        tenants.restrict(kind, values);
        Page page = entries.page(new EntryFilter(kind, values), query.after(), query.limit());
        if (page.items().isEmpty()) {
            filters.requireKnown(query);
        }
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        ArrayNode items = answer.putArray("items");
        page.items().forEach(each -> items.add(EntryDocument.write(each)));
        answer.put("next", page.next().map(Query::cursor).orElse(null));
        return EntryAnswers.asOf(Response.ok(answer.toString()), page.asOf()).build();
    }

    @POST
    @RequiresRole(AdminRole.EDITOR)
    @Consumes(MediaType.APPLICATION_JSON)
    public Response create(InputStream body, @Context UriInfo uri, @Context HttpHeaders headers) {
        Preconditions.forbidIfMatch(headers);
        RuleEntry entry = EntryDocument.read(kind, JsonBody.read(body));
        return executor.one(new EntryChange.Put(entry, new Precondition.New()), Options.of(uri));
    }

    @GET
    @Path("{id:.+}")
    @RequiresRole(AdminRole.VIEWER)
    public Response get(@PathParam("id") String id, @Context UriInfo uri, @Context HttpHeaders headers) {
        Query.of(uri);
        RuleEntry.Key key = kind.key(id);
        return EntryAnswers.found(key, tenants.visible(entries.find(key)), headers);
    }

    @PUT
    @Path("{id:.+}")
    @RequiresRole(AdminRole.EDITOR)
    @Consumes(MediaType.APPLICATION_JSON)
    public Response put(
            @PathParam("id") String id, InputStream body, @Context UriInfo uri, @Context HttpHeaders headers) {
        RuleEntry.Key key = kind.key(id);
        RuleEntry entry = EntryDocument.read(kind, JsonBody.read(body));
        new Validator()
                .require(entry.key().equals(key), "id", EntryKind.id(entry.key()), "must be that of the path, " + id)
                .throwIfInvalid();
        return executor.one(new EntryChange.Put(entry, Preconditions.of(headers)), Options.of(uri));
    }

    @PATCH
    @Path("{id:.+}")
    @RequiresRole(AdminRole.EDITOR)
    @Consumes({MERGE_PATCH, MediaType.APPLICATION_JSON})
    public Response patch(
            @PathParam("id") String id, InputStream body, @Context UriInfo uri, @Context HttpHeaders headers) {
        JsonNode patch = JsonBody.read(body);
        if (!patch.isObject()) {
            throw Refusal.of(
                    AdminErrorCode.MALFORMED_BODY, "a merge patch must be an object, got " + patch.getNodeType());
        }
        EntryChange change = new EntryChange.Patch(kind.key(id), patch, Preconditions.of(headers));
        return executor.one(change, Options.of(uri));
    }

    @DELETE
    @Path("{id:.+}")
    @RequiresRole(AdminRole.EDITOR)
    public Response delete(@PathParam("id") String id, @Context UriInfo uri, @Context HttpHeaders headers) {
        EntryChange change = new EntryChange.Delete(kind.key(id), Preconditions.of(headers));
        return executor.one(change, Options.ofDryRun(uri));
    }

    @Path(EntriesResource.BASE + "policies")
    @OpenToTenantAdmins
    static class PoliciesResource extends EntriesResource {
        PoliciesResource(EntryQueries entries, ChangeExecutor executor, FilterCheck filters, TenantScope tenants) {
            super(EntryKind.POLICY, entries, executor, filters, tenants);
        }
    }

    @Path(EntriesResource.BASE + "tiers")
    static class TiersResource extends EntriesResource {
        TiersResource(EntryQueries entries, ChangeExecutor executor, FilterCheck filters, TenantScope tenants) {
            super(EntryKind.TIER, entries, executor, filters, tenants);
        }
    }

    @Path(EntriesResource.BASE + "client-tiers")
    static class ClientTiersResource extends EntriesResource {
        ClientTiersResource(EntryQueries entries, ChangeExecutor executor, FilterCheck filters, TenantScope tenants) {
            super(EntryKind.CLIENT_TIER, entries, executor, filters, tenants);
        }
    }

    @Path(EntriesResource.BASE + "overrides")
    static class OverridesResource extends EntriesResource {
        OverridesResource(EntryQueries entries, ChangeExecutor executor, FilterCheck filters, TenantScope tenants) {
            super(EntryKind.OVERRIDE, entries, executor, filters, tenants);
        }
    }

    @Path(EntriesResource.BASE + "allow-list")
    static class AllowListResource extends EntriesResource {
        AllowListResource(EntryQueries entries, ChangeExecutor executor, FilterCheck filters, TenantScope tenants) {
            super(EntryKind.ALLOW, entries, executor, filters, tenants);
        }
    }

    @Path(EntriesResource.BASE + "deny-list")
    static class DenyListResource extends EntriesResource {
        DenyListResource(EntryQueries entries, ChangeExecutor executor, FilterCheck filters, TenantScope tenants) {
            super(EntryKind.DENY, entries, executor, filters, tenants);
        }
    }

    /** Endpoints of the one table by which adaptive limits follow the load; without it limiters use their own. */
    @Path(EntriesResource.BASE + "adaptive")
    @Blocking
    @Produces(MediaType.APPLICATION_JSON)
    static class AdaptiveResource {
        private static final RuleEntry.Key KEY = new RuleEntry.Key.OfAdaptive();

        private final EntryQueries entries;
        private final ChangeExecutor executor;

        AdaptiveResource(EntryQueries entries, ChangeExecutor executor) {
            this.entries = entries;
            this.executor = executor;
        }

        @GET
        @RequiresRole(AdminRole.VIEWER)
        public Response get(@Context UriInfo uri, @Context HttpHeaders headers) {
            Query.of(uri);
            return EntryAnswers.found(KEY, entries.find(KEY), headers);
        }

        @PUT
        @RequiresRole(AdminRole.EDITOR)
        @Consumes(MediaType.APPLICATION_JSON)
        public Response put(InputStream body, @Context UriInfo uri, @Context HttpHeaders headers) {
            EntryChange put = new EntryChange.Put(
                    EntryDocument.read(EntryKind.ADAPTIVE, JsonBody.read(body)), Preconditions.of(headers));
            return executor.one(put, Options.ofDryRun(uri));
        }

        @DELETE
        @RequiresRole(AdminRole.EDITOR)
        public Response delete(@Context UriInfo uri, @Context HttpHeaders headers) {
            return executor.one(new EntryChange.Delete(KEY, Preconditions.of(headers)), Options.ofDryRun(uri));
        }
    }
}
