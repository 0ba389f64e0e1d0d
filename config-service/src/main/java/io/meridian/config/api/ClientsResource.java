package io.meridian.config.api;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.access.AdminRole;
import io.meridian.config.api.AccessFilter.RequiresRole;
import io.meridian.config.audit.AuditTrail;
import io.meridian.config.database.DatabaseUnavailableException;
import io.meridian.config.database.Timestamps;
import io.meridian.config.regions.ClientConsumption;
import io.meridian.config.regions.RegionQueries;
import io.meridian.config.regions.RegionQueries.RegionAnswers;
import io.meridian.config.regions.RegionQueries.RegionsUnavailableException;
import io.meridian.model.rules.Identifier;
import io.meridian.model.validation.EnumNames;
import io.meridian.model.validation.Validator;
import io.meridian.model.wire.RegionQuery.Kind;
import io.meridian.model.wire.RegionQueryReply;
import io.meridian.service.http.Problem;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

/** Present consumption of a client, globally and by region, and the reset of its counters. */
@Path(EntriesResource.BASE + "clients/{type}/{path:.+}")
@Blocking
@Produces(MediaType.APPLICATION_JSON)
class ClientsResource {
    private static final Logger LOG = Logger.getLogger(ClientsResource.class);
    private static final String AUDIT_KIND = "client";
    private static final String COUNTERS = "/counters";
    private static final Map<String, String> RETRY_SOON = Map.of(HttpHeaders.RETRY_AFTER, "1");

    private final RegionQueries queries;
    private final AuditTrail trail;
    private final CallContext call;

    ClientsResource(RegionQueries queries, AuditTrail trail, CallContext call) {
        this.queries = queries;
        this.trail = trail;
        this.call = call;
    }

    @JsonNaming(SnakeCaseStrategy.class)
    public record ClientStatus(
            String identifierType, String identifier, List<LimitItem> limits, List<String> missing, String askedAt) {}

    public record LimitItem(
            String policy,
            String key,
            String scope,
            long limit,
            long used,
            long remaining,
            List<RegionConsumption> regions) {}

    @JsonNaming(SnakeCaseStrategy.class)
    public record RegionConsumption(
            String region,
            long limit,
            long used,
            long remaining,
            String resetAt,
            long leased,
            @Nullable WindowAccount account) {}

    /** A region's account of a global limit; a grant is what an escrow limit lets the region spend. */
    @JsonNaming(SnakeCaseStrategy.class)
    public record WindowAccount(long taken, long returned, long usedElsewhere, long grantAvailable) {
        static @Nullable WindowAccount of(RegionQueryReply.@Nullable Account account) {
            return account == null
                    ? null
                    : new WindowAccount(
                            account.taken(), account.returned(), account.usedElsewhere(), account.grantAvailable());
        }
    }

    /** The regions that reset the client, and those that did not. */
    public record ResetResult(List<String> reset, List<String> missing) {}

    @GET
    @RequiresRole(AdminRole.VIEWER)
    public ClientStatus status(@PathParam("type") String type, @PathParam("path") String id, @Context UriInfo uri) {
        ClientQuery client = ClientQuery.of(type, id, uri);
        RegionAnswers collected = ask(Kind.STATUS, client);
        return new ClientStatus(
                client.identifier().type(),
                client.identifier().value(),
                ClientConsumption.of(collected.answers()).stream()
                        .map(ClientsResource::item)
                        .toList(),
                collected.missing(),
                Timestamps.ofMicros(collected.askedMicros()).toString());
    }

    /**
     * Resets {@code …/{id}/counters}; an identifier may have slashes, so the end of the path is cut off here. Regions cannot
     * take part in a transaction, so there are two rows in the audit trail: the request before any region is asked, and the
     * result. A dry run says which regions would reset.
     */
    @DELETE
    @RequiresRole(AdminRole.EDITOR)
    public RestResponse<ResetResult> reset(
            @PathParam("type") String type, @PathParam("path") String path, @Context UriInfo uri) {
        if (!path.endsWith(COUNTERS)) {
            throw Refusal.of(
                    AdminErrorCode.METHOD_NOT_ALLOWED,
                    "a client is not deleted; its counters are: DELETE …" + COUNTERS);
        }
        ClientQuery client = ClientQuery.of(type, path.substring(0, path.length() - COUNTERS.length()), uri);
        if (client.dryRun()) {
            return RestResponse.ResponseBuilder.ok(result(ask(Kind.STATUS, client)))
                    .header(EntryAnswers.DRY_RUN, "true")
                    .build();
        }
        trail.append(call.actor(), "reset", AUDIT_KIND, client.auditId(), client.toJson());
        ResetResult result = result(ask(Kind.RESET, client));
        auditResult(client, result);
        return RestResponse.ok(result);
    }

    /** The reset is done already and cannot be undone, so that a failure is only logged. */
    private void auditResult(ClientQuery client, ResetResult result) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        result.reset().forEach(json.putArray("reset")::add);
        result.missing().forEach(json.putArray("missing")::add);
        try {
            trail.append(call.actor(), "reset_done", AUDIT_KIND, client.auditId(), json);
        } catch (DatabaseUnavailableException unavailable) {
            LOG.warnf(
                    "the result of a reset is not in the audit trail: result=%s, reason=%s",
                    json, unavailable.getMessage());
        }
    }

    private static ResetResult result(RegionAnswers collected) {
        return new ResetResult(
                collected.answers().stream().map(RegionQueryReply::region).toList(), collected.missing());
    }

    private RegionAnswers ask(Kind kind, ClientQuery client) {
        try {
            return queries.ask(kind, client.attributes(), client.endpoint(), client.method());
        } catch (RegionsUnavailableException unavailable) {
            AdminErrorCode code = unavailable.isBusy() ? AdminErrorCode.BUSY : AdminErrorCode.REGIONS_AWAY;
            throw Refusal.of(Problem.of(code, String.valueOf(unavailable.getMessage())), RETRY_SOON);
        }
    }

    private static LimitItem item(ClientConsumption limit) {
        return new LimitItem(
                limit.policy(),
                limit.key(),
                EnumNames.text(limit.scope()),
                limit.limit(),
                limit.used(),
                limit.remaining(),
                limit.regions().stream()
                        .map(each -> new RegionConsumption(
                                each.region(),
                                each.limit(),
                                each.used(),
                                each.remaining(),
                                Timestamps.ofMicros(each.resetAtMicros()).toString(),
                                each.leased(),
                                WindowAccount.of(each.account())))
                        .toList());
    }

    /**
     * Client of a call: the identifier in the path, and more attributes as query parameters.
     *
     * @param attributes the identifier among them
     * @param endpoint empty if not given
     * @param method empty if not given
     * @param dryRun whether nothing is changed
     */
    record ClientQuery(
            Identifier identifier, Map<String, String> attributes, String endpoint, String method, boolean dryRun) {
        private static final String ENDPOINT = "endpoint";
        private static final String METHOD = "method";
        /** Parameters that are no attributes. */
        private static final Set<String> OTHER_PARAMETERS = Set.of(ENDPOINT, METHOD, Query.DRY_RUN);

        String auditId() {
            return identifier.type() + ":" + identifier.value();
        }

        ObjectNode toJson() {
            ObjectNode json = JsonNodeFactory.instance.objectNode();
            attributes.forEach(json.putObject("attributes")::put);
            return json.put("endpoint", endpoint).put("method", method);
        }

        static ClientQuery of(String type, String id, UriInfo uri) {
            Set<String> names = uri.getQueryParameters().keySet();
            Query query = Query.of(uri, names);
            Validator rules = new Validator();
            Identifier identifier = new Identifier(type, id);
            Map<String, String> attributes = new TreeMap<>();
            attributes.put(identifier.type(), identifier.value());
            for (String name : names) {
                if (!OTHER_PARAMETERS.contains(name)) {
                    String value = query.text(name).orElse("");
                    Identifier more = rules.attempt(() -> new Identifier(name, value), identifier);
                    String before = attributes.putIfAbsent(more.type(), more.value());
                    rules.require(
                            before == null || before.equals(more.value()),
                            name,
                            value,
                            "must be as in the path, " + before);
                }
            }
            rules.throwIfInvalid();
            return new ClientQuery(
                    identifier,
                    attributes,
                    query.text(ENDPOINT).orElse(""),
                    query.text(METHOD).orElse(""),
                    query.flag(Query.DRY_RUN));
        }
    }
}
