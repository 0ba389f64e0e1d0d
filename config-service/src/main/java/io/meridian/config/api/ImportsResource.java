package io.meridian.config.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.access.Role;
import io.meridian.config.imports.Format;
import io.meridian.config.imports.ImportView;
import io.meridian.config.imports.Imports;
import io.meridian.config.imports.Mode;
import io.meridian.model.rules.ListEntry.ListKind;
import io.meridian.model.validation.EnumNames;
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
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;

/** Lists from files: {@code POST /imports?list=deny-list&mode=merge}, with progress under {@code /imports/{id}} meanwhile. */
@Path(EntriesResource.BASE + "imports")
@Blocking
@Produces(MediaType.APPLICATION_JSON)
class ImportsResource {
    private static final String LIST = "list";
    private static final String MODE = "mode";
    private static final int UNPROCESSABLE = 422;

    private final Imports imports;
    private final CallContext call;

    ImportsResource(Imports imports, CallContext call) {
        this.imports = imports;
        this.call = call;
    }

    @POST
    @Needs(Role.EDITOR)
    @Consumes({"text/csv", "application/x-ndjson"})
    public Response run(InputStream body, @Context UriInfo uri, @Context HttpHeaders headers) {
        Query query = Query.of(uri, LIST, MODE, Query.DRY_RUN);
        boolean dryRun = query.flag(Query.DRY_RUN);
        String name = query.text(LIST).orElse("");
        ListKind list =
                switch (name) {
                    case "allow-list" -> ListKind.ALLOW;
                    case "deny-list" -> ListKind.DENY;
                    default -> throw Query.refused(LIST, name, "must be allow-list or deny-list");
                };
        String modeName = query.text(MODE).orElse(EnumNames.text(Mode.MERGE));
        Mode mode = EnumNames.find(Mode.class, modeName)
                .orElseThrow(() -> Query.refused(MODE, modeName, "must be one of " + EnumNames.list(Mode.class)));
        ImportView view = imports.run(call.actor(), list, mode, format(headers), body, dryRun)
                .orElseThrow(() -> Refusal.of(ErrorCode.IN_USE, "another import is under way; GET imports shows it"));
        return switch (view.state()) {
            case DONE -> Response.ok(view.json().toString()).build();
            case REHEARSED ->
                Response.ok(view.json().toString())
                        .header(Answers.DRY_RUN, "true")
                        .build();
            case READING, APPLYING, REFUSED, FAILED ->
                Response.status(UNPROCESSABLE)
                        .type(Problem.MEDIA_TYPE)
                        .entity(refused(view).toString())
                        .build();
        };
    }

    /** The framework lets through what says nothing, or anything, or it in capitals. */
    private static Format format(HttpHeaders headers) {
        MediaType type = headers.getMediaType();
        String name = type == null ? "" : type.getType() + "/" + type.getSubtype();
        return Format.of(name.toLowerCase(Locale.ROOT))
                .orElseThrow(() -> Refusal.of(
                        ErrorCode.UNSUPPORTED_BODY,
                        "Content-Type must be text/csv or application/x-ndjson, got "
                                + (name.isEmpty() ? "nothing" : name)));
    }

    /** The report of wrong lines is the problem's own. */
    private static ObjectNode refused(ImportView view) {
        long wrong = view.json().path("wrong").asLong();
        ObjectNode problem = Problem.of(ErrorCode.INVALID, wrong + " lines are wrong; nothing was imported")
                .toJson();
        problem.setAll(view.json());
        return problem;
    }

    @GET
    @Needs(Role.VIEWER)
    public String list(@Context UriInfo uri) {
        Query query = Query.of(uri, Query.LIMIT, Query.CURSOR);
        List<ImportView> found = imports.latest(query.afterNumber().orElse(Long.MAX_VALUE), query.limit() + 1);
        boolean more = found.size() > query.limit();
        List<ImportView> page = more ? found.subList(0, query.limit()) : found;
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        ArrayNode items = answer.putArray("items");
        page.forEach(view -> items.add(view.json()));
        answer.put(
                "next",
                more ? Query.cursor(Long.toString(page.get(page.size() - 1).id())) : null);
        return answer.toString();
    }

    @GET
    @Path("{id}")
    @Needs(Role.VIEWER)
    public String get(@PathParam("id") String id) {
        if (!id.matches("[0-9]{1,18}")) {
            throw Refusal.of(ErrorCode.NOT_FOUND, "there is no import " + id);
        }
        return imports.find(Long.parseLong(id))
                .orElseThrow(() -> Refusal.of(ErrorCode.NOT_FOUND, "there is no import " + id))
                .json()
                .toString();
    }
}
