package io.meridian.config.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.access.Role;
import io.meridian.config.regions.Collected;
import io.meridian.config.regions.Consumption;
import io.meridian.config.regions.Questions;
import io.meridian.config.regions.RegionsAway;
import io.meridian.config.store.Times;
import io.meridian.model.validation.EnumNames;
import io.meridian.model.wire.RegionQuery.Kind;
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

    private final Questions questions;
    private final ResetTrail trail;
    private final CallContext call;

    ClientsResource(Questions questions, ResetTrail trail, CallContext call) {
        this.questions = questions;
        this.trail = trail;
        this.call = call;
    }

    @GET
    @Needs(Role.VIEWER)
    public String status(@PathParam("type") String type, @PathParam("path") String id, @Context UriInfo uri) {
        ClientQuery client = ClientQuery.of(type, id, uri);
        Collected collected = ask(Kind.STATUS, client);
        ObjectNode answer = JsonNodeFactory.instance
                .objectNode()
                .put("identifier_type", client.identifier().type())
                .put("identifier", client.identifier().value());
        ArrayNode limits = answer.putArray("limits");
        Consumption.of(collected.answers()).forEach(each -> write(limits.addObject(), each));
        ArrayNode missing = answer.putArray("missing");
        collected.missing().forEach(missing::add);
        return answer.put("asked_at", Times.ofMicros(collected.askedMicros()).toString())
                .toString();
    }

    /**
     * Resets {@code …/{id}/counters}; an identifier may have slashes, so what ends the path is cut off here. What is asked is
     * in the audit trail before anybody does it; what came of it follows. A rehearsal says which regions would.
     */
    @DELETE
    @Needs(Role.EDITOR)
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

    private static ObjectNode reached(Collected collected) {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        ArrayNode reset = answer.putArray("reset");
        collected.answers().forEach(each -> reset.add(each.region()));
        ArrayNode missing = answer.putArray("missing");
        collected.missing().forEach(missing::add);
        return answer;
    }

    private Collected ask(Kind kind, ClientQuery client) {
        try {
            return questions.ask(kind, client.attributes(), client.endpoint(), client.method());
        } catch (RegionsAway away) {
            ErrorCode code = away.isBusy() ? ErrorCode.BUSY : ErrorCode.REGIONS_AWAY;
            throw Refusal.of(Problem.of(code, String.valueOf(away.getMessage())), SOON);
        }
    }

    private static void write(ObjectNode json, Consumption limit) {
        json.put("policy", limit.policy())
                .put("key", limit.key())
                .put("scope", EnumNames.text(limit.scope()))
                .put("limit", limit.limit())
                .put("used", limit.used())
                .put("remaining", limit.remaining());
        ArrayNode regions = json.putArray("regions");
        for (Consumption.InRegion each : limit.regions()) {
            regions.addObject()
                    .put("region", each.region())
                    .put("limit", each.limit())
                    .put("used", each.used())
                    .put("remaining", each.remaining())
                    .put("reset_at", Times.ofMicros(each.resetAtMicros()).toString());
        }
    }
}
