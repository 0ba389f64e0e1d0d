package io.meridian.config.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.meridian.config.access.AdminRole;
import io.meridian.config.api.AccessFilter.RequiresRole;
import io.meridian.config.imports.ImportStatus;
import io.meridian.config.imports.ListImporter;
import io.meridian.config.imports.ListImporter.Format;
import io.meridian.config.imports.ListImporter.Mode;
import io.meridian.model.rules.ListEntry.ListKind;
import io.meridian.model.validation.EnumNames;
import io.meridian.service.http.Problem;
import io.meridian.service.http.ProblemException;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Import of lists: {@code POST /imports?list=deny-list&mode=merge}; the progress is under {@code /imports/{id}} meanwhile. */
@Path(EntriesResource.BASE + "imports")
@Blocking
@Produces(MediaType.APPLICATION_JSON)
class ImportsResource {
    private static final String LIST = "list";
    private static final String MODE = "mode";

    private final ListImporter imports;
    private final CallContext call;

    ImportsResource(ListImporter imports, CallContext call) {
        this.imports = imports;
        this.call = call;
    }

    @POST
    @RequiresRole(AdminRole.EDITOR)
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
        ImportStatus status = imports.run(call.actor(), list, mode, format(headers), body, dryRun)
                .orElseThrow(
                        () -> Refusal.of(AdminErrorCode.IN_USE, "another import is under way; GET imports shows it"));
        return switch (status.state()) {
            case DONE -> Response.ok(status).build();
            case REHEARSED ->
                Response.ok(status).header(EntryAnswers.DRY_RUN, "true").build();
            case READING, APPLYING, REFUSED, FAILED -> throw refused(status);
        };
    }

    /** Checked here, because the framework accepts an absent type, wildcards and capitals. */
    private static Format format(HttpHeaders headers) {
        MediaType type = headers.getMediaType();
        String name = type == null ? "" : type.getType() + "/" + type.getSubtype();
        return Format.of(name.toLowerCase(Locale.ROOT))
                .orElseThrow(() -> Refusal.of(
                        AdminErrorCode.UNSUPPORTED_BODY,
                        "Content-Type must be text/csv or application/x-ndjson, got "
                                + (name.isEmpty() ? "nothing" : name)));
    }

    /** The problem document contains the status of the import with the invalid lines. */
    private static ProblemException refused(ImportStatus status) {
        Map<String, JsonNode> members = new LinkedHashMap<>();
        status.toJson().properties().forEach(each -> members.put(each.getKey(), each.getValue()));
        return new ProblemException(
                Problem.of(AdminErrorCode.INVALID, status.wrong() + " lines are wrong; nothing was imported"),
                Map.of(),
                members);
    }

    @GET
    @RequiresRole(AdminRole.VIEWER)
    public ImportPage list(@Context UriInfo uri) {
        Query query = Query.of(uri, Query.LIMIT, Query.CURSOR);
        List<ImportStatus> found = imports.latest(query.afterNumber().orElse(Long.MAX_VALUE), query.limit() + 1);
        boolean more = found.size() > query.limit();
        List<ImportStatus> page = more ? found.subList(0, query.limit()) : found;
        return new ImportPage(
                page,
                more ? Query.cursor(Long.toString(page.get(page.size() - 1).id())) : null);
    }

    public record ImportPage(
            List<ImportStatus> items, @Nullable String next) {}

    @GET
    @Path("{id}")
    @RequiresRole(AdminRole.VIEWER)
    public ImportStatus get(@PathParam("id") String id) {
        if (!id.matches("[0-9]{1,18}")) {
            throw Refusal.of(AdminErrorCode.NOT_FOUND, "there is no import " + id);
        }
        return imports.find(Long.parseLong(id))
                .orElseThrow(() -> Refusal.of(AdminErrorCode.NOT_FOUND, "there is no import " + id));
    }
}
