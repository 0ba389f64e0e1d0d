package io.meridian.config.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.access.Role;
import io.meridian.config.rulebook.Applied;
import io.meridian.config.rulebook.Condition;
import io.meridian.config.rulebook.EntryForm;
import io.meridian.config.rulebook.EntryIds;
import io.meridian.config.rulebook.Kind;
import io.meridian.config.rulebook.Outcome;
import io.meridian.model.validation.EnumNames;
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

    private final Changing changing;

    ChangesResource(Changing changing) {
        this.changing = changing;
    }

    @POST
    @Needs(Role.EDITOR)
    @Consumes(MediaType.APPLICATION_JSON)
    public Response change(InputStream body, @Context UriInfo uri, @Context HttpHeaders headers) {
        ChangeOptions options = ChangeOptions.of(uri);
        Condition whole = Preconditions.ofWhole(headers);
        Applied applied = changing.apply(ChangeList.read(JsonBody.read(body, BYTES_MAX)), whole, options);
        ObjectNode answer = JsonNodeFactory.instance.objectNode().put("revision", applied.revision());
        ArrayNode results = answer.putArray("results");
        applied.outcomes().forEach(outcome -> results.add(result(outcome)));
        Answers.warnings(answer, applied.warnings());
        Response.ResponseBuilder response = Response.ok(answer.toString());
        return (options.dryRun() ? response.header(Answers.DRY_RUN, "true") : response).build();
    }

    private static ObjectNode result(Outcome outcome) {
        ObjectNode result = JsonNodeFactory.instance
                .objectNode()
                .put("kind", Kind.of(outcome.key()).label())
                .put("id", EntryIds.of(outcome.key()))
                .put("op", EnumNames.text(outcome.what()));
        result.set("entry", outcome.after().map(EntryForm::write).orElse(null));
        return result;
    }
}
