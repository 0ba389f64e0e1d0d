package io.meridian.config.api;

import java.util.TreeMap;
import java.util.Set;
import io.meridian.model.rulebook.Identifier;
import io.meridian.model.rule.Rules;
import io.meridian.config.api.AccessFilter.RequiresRole;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.access.Role;
import io.meridian.config.regions.RegionQueries.RegionAnswers;
import io.meridian.config.regions.ClientConsumption;
import io.meridian.config.regions.RegionQueries;
import io.meridian.config.regions.RegionQueries.RegionsUnavailableException;
import io.meridian.config.database.Timestamps;
import io.meridian.model.policy.Choice;
import io.meridian.model.wire.ClientQuestion.Kind;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.util.Map;

/** What a client has used now, in the world and by region; and that it is forgotten. */
@Path(EntriesResource.BASE + "clients/{type}/{path:.+}")
@Blocking
@Produces(MediaType.APPLICATION_JSON)
class ClientsResource {
    private static final String COUNTERS = "/counters";
    private static final Map<String, String> SOON = Map.of(HttpHeaders.RETRY_AFTER, "1");

    private final RegionQueries questions;
    private final ResetTrail trail;
    private final CallContext call;

    ClientsResource(RegionQueries questions, ResetTrail trail, CallContext call) {
        this.questions = questions;
        this.trail = trail;
        this.call = call;
    }

    @GET
    @RequiresRole(Role.VIEWER)
    public String status(@PathParam("type") String type, @PathParam("path") String id, @Context UriInfo uri) {
        ClientQuery client = ClientQuery.of(type, id, uri);
        RegionAnswers collected = ask(Kind.STATUS, client);
        ObjectNode answer = JsonNodeFactory.instance
                .objectNode()
                .put("identifier_type", client.identifier().type())
                .put("identifier", client.identifier().value());
        ArrayNode limits = answer.putArray("limits");
        ClientConsumption.of(collected.answers()).forEach(each -> write(limits.addObject(), each));
        ArrayNode missing = answer.putArray("missing");
        collected.missing().forEach(missing::add);
        return answer.put("asked_at", Timestamps.ofMicros(collected.askedMicros()).toString())
                .toString();
    }

    /**
     * Resets {@code …/{id}/counters}; an identifier may have slashes, so what ends the path is cut off here. What is asked is
     * in the audit trail before anybody does it; what came of it follows. A rehearsal says which regions would.
     */
    @DELETE
    @RequiresRole(Role.EDITOR)
    public Response reset(@PathParam("type") String type, @PathParam("path") String path, @Context UriInfo uri) {
        if (!path.endsWith(COUNTERS)) {
            throw Refusal.of(
                    ErrorCode.METHOD_NOT_ALLOWED, "a client is not deleted; its counters are: DELETE …" + COUNTERS);
        }
        ClientQuery client = ClientQuery.of(type, path.substring(0, path.length() - COUNTERS.length()), uri);
        if (client.dryRun()) {
            return Response.ok(reached(ask(Kind.STATUS, client)).toString())
                    .header(Answers.DRY_RUN, "true")
                    .build();
        }
        trail.asked(call.actor(), client);
        ObjectNode answer = reached(ask(Kind.RESET, client));
        trail.done(call.actor(), client, answer);
        return Response.ok(answer.toString()).build();
    }

    private static ObjectNode reached(RegionAnswers collected) {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        ArrayNode reset = answer.putArray("reset");
        collected.answers().forEach(each -> reset.add(each.region()));
        ArrayNode missing = answer.putArray("missing");
        collected.missing().forEach(missing::add);
        return answer;
    }

    private RegionAnswers ask(Kind kind, ClientQuery client) {
        try {
            return questions.ask(kind, client.attributes(), client.endpoint(), client.method());
        } catch (RegionsUnavailableException away) {
            ErrorCode code = away.isBusy() ? ErrorCode.BUSY : ErrorCode.REGIONS_AWAY;
            throw Refusal.of(Problem.of(code, String.valueOf(away.getMessage())), SOON);
        }
    }

    private static void write(ObjectNode json, ClientConsumption limit) {
        json.put("policy", limit.policy())
                .put("key", limit.key())
                .put("scope", Choice.text(limit.scope()))
                .put("limit", limit.limit())
                .put("used", limit.used())
                .put("remaining", limit.remaining());
        ArrayNode regions = json.putArray("regions");
        for (ClientConsumption.InRegion each : limit.regions()) {
            regions.addObject()
                    .put("region", each.region())
                    .put("limit", each.limit())
                    .put("used", each.used())
                    .put("remaining", each.remaining())
                    .put("reset_at", Timestamps.ofMicros(each.resetAtMicros()).toString());
        }
    }

    /**
     * The client of a call: the identifier of its path, and what more is known of it as parameters.
     *
     * @param attributes the identifier among them
     * @param endpoint empty if it is not known
     * @param method empty if it is not known
     * @param dryRun whether nothing is to be changed
     */
    record ClientQuery(
            Identifier identifier, Map<String, String> attributes, String endpoint, String method, boolean dryRun) {
        private static final String ENDPOINT = "endpoint";
        private static final String METHOD = "method";
        /** What is no attribute of a client. */
        private static final Set<String> OURS = Set.of(ENDPOINT, METHOD, Query.DRY_RUN);

        static ClientQuery of(String type, String id, UriInfo uri) {
            Set<String> names = uri.getQueryParameters().keySet();
            Query query = Query.of(uri, names);
            Rules rules = new Rules();
            Identifier identifier = new Identifier(type, id);
            Map<String, String> attributes = new TreeMap<>();
            attributes.put(identifier.type(), identifier.value());
            for (String name : names) {
                if (!OURS.contains(name)) {
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
            rules.throwIfBroken();
            return new ClientQuery(
                    identifier,
                    attributes,
                    query.text(ENDPOINT).orElse(""),
                    query.text(METHOD).orElse(""),
                    query.flag(Query.DRY_RUN));
        }
    }
}
