package io.meridian.config.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.meridian.config.access.AdminRole;
import io.meridian.config.api.AccessFilter.RequiresRole;
import io.meridian.config.drills.DrillArchive;
import io.meridian.config.drills.DrillArchive.Archived;
import io.meridian.config.drills.DrillArchive.Filter;
import io.meridian.config.drills.DrillArchive.Page;
import io.meridian.config.drills.DrillArchive.Summary;
import io.meridian.config.drills.PublishedDrill;
import io.meridian.config.drills.PublishedDrill.JudgedPromise;
import io.meridian.config.drills.PublishedDrill.Verdict;
import io.meridian.model.validation.EnumNames;
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
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.io.InputStream;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.ExampleObject;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

/** Drills as {@code ./meridian drill run} publishes them. */
@Path(EntriesResource.BASE + "drills")
@Blocking
@Produces(MediaType.APPLICATION_JSON)
class DrillsResource {
    /** A page and a journal at their bounds, escaped. */
    static final int BYTES_MAX = 16 << 20;

    private static final Set<String> FIELDS = Set.of(
            "drill",
            "title",
            "target",
            "started_at",
            "ended_at",
            "verdict",
            "sentence",
            "promises",
            "journal",
            "report");
    private static final Set<String> PROMISE_FIELDS = Set.of("promise", "verdict", "description");
    private static final ObjectMapper MAPPER = new ObjectMapper();
    /**
     * The page comes from whoever published it. Its scripts draw its charts, in an origin of its own: they reach neither the session
     * nor the API, load nothing and send nothing.
     */
    private static final String POLICY = "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline';"
            + " style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

    private static final String EXAMPLE = """
            {"drill": "cut-one-region", "title": "A region is cut off", "target": "the running stack",
             "started_at": "2026-01-15T10:00:00Z", "ended_at": "2026-01-15T10:01:30Z", "verdict": "held",
             "sentence": "The limits held. All 8 promises were tested and kept.",
             "promises": [{"promise": "bound of escrow", "verdict": "held", "description": "12 windows, at most 500 of 500"}],
             "journal": {"status": "completed"}, "report": "<!doctype html>…"}""";

    private final DrillArchive archive;
    private final CallContext call;

    DrillsResource(DrillArchive archive, CallContext call) {
        this.archive = archive;
        this.call = call;
    }

    public record DrillPage(List<DrillItem> items, @Nullable String next) {}

    /**
     * One drill.
     *
     * @param id null in the answer to a dry run
     * @param report path of its page, null without one
     */
    @JsonNaming(SnakeCaseStrategy.class)
    public record DrillItem(
            @Nullable Long id,
            String drill,
            String title,
            String target,
            String startedAt,
            String endedAt,
            String verdict,
            String sentence,
            List<PromiseVerdict> promises,
            @Nullable String report,
            String publishedAt,
            String publishedBy) {
        static DrillItem of(Summary summary) {
            return new DrillItem(
                    summary.id(),
                    summary.name(),
                    summary.title(),
                    summary.target(),
                    summary.startedAt().toString(),
                    summary.endedAt().toString(),
                    EnumNames.text(summary.verdict()),
                    summary.sentence(),
                    summary.promises().stream().map(PromiseVerdict::of).toList(),
                    summary.hasReport() ? page(summary.id()) : null,
                    summary.publishedAt().toString(),
                    summary.publishedBy());
        }
    }

    public record PromiseVerdict(String promise, String verdict, String description) {
        static PromiseVerdict of(JudgedPromise judged) {
            return new PromiseVerdict(judged.promise(), EnumNames.text(judged.verdict()), judged.description());
        }
    }

    /** A drill with its journal. */
    public record DrillDetails(
            DrillItem drill,
            @Schema(implementation = Object.class) JsonNode journal) {}

    @GET
    @RequiresRole(AdminRole.VIEWER)
    public DrillPage list(@Context UriInfo uri) {
        Query query = Query.of(uri, Query.FROM, Query.TO, Query.LIMIT, Query.CURSOR, "drill", "verdict");
        Optional<String> verdict = query.text("verdict");
        verdict.filter(word -> EnumNames.find(Verdict.class, word).isEmpty()).ifPresent(word -> {
            throw Refusal.of(
                    AdminErrorCode.INVALID, "verdict", word, "must be one of " + EnumNames.list(Verdict.class));
        });
        Page page = archive.list(
                new Filter(
                        query.time(Query.FROM),
                        query.time(Query.TO),
                        query.text("drill"),
                        verdict,
                        query.afterNumber()),
                query.limit());
        return new DrillPage(
                page.items().stream().map(DrillItem::of).toList(),
                page.next().map(id -> Query.cursor(Long.toString(id))).orElse(null));
    }

    @GET
    @Path("{id}")
    @RequiresRole(AdminRole.VIEWER)
    public DrillDetails get(@PathParam("id") String id, @Context UriInfo uri) {
        Query.of(uri);
        Archived found = archive.find(number(id)).orElseThrow(() -> none(id));
        return new DrillDetails(DrillItem.of(found.summary()), tree(found.journal()));
    }

    @GET
    @Path("{id}/report")
    @RequiresRole(AdminRole.VIEWER)
    @Produces({MediaType.TEXT_HTML, MediaType.APPLICATION_JSON})
    public Response report(@PathParam("id") String id, @Context UriInfo uri) {
        Query.of(uri);
        String page = archive.report(number(id))
                .orElseThrow(() -> Refusal.of(AdminErrorCode.NOT_FOUND, "there is no report of a drill " + id));
        return Response.ok(page, MediaType.TEXT_HTML + ";charset=utf-8")
                .header("Content-Security-Policy", POLICY)
                .header("X-Content-Type-Options", "nosniff")
                .header("Referrer-Policy", "no-referrer")
                .header(HttpHeaders.CACHE_CONTROL, "private, max-age=3600")
                .build();
    }

    @POST
    @RequiresRole(AdminRole.EDITOR)
    @Consumes(MediaType.APPLICATION_JSON)
    @RequestBody(content = @Content(examples = @ExampleObject(name = "drill", value = EXAMPLE)))
    public RestResponse<DrillItem> publish(InputStream body, @Context UriInfo uri) {
        boolean dryRun = Query.dryRun(uri);
        PublishedDrill drill = drill(JsonBody.read(body, BYTES_MAX));
        if (dryRun) {
            if (archive.has(drill)) {
                throw exists(drill);
            }
            return RestResponse.ResponseBuilder.ok(item(null, drill))
                    .header(EntryAnswers.DRY_RUN, "true")
                    .build();
        }
        long id = archive.publish(call.actor(), drill).orElseThrow(() -> exists(drill));
        return RestResponse.ResponseBuilder.create(RestResponse.Status.CREATED, item(id, drill))
                .header(HttpHeaders.LOCATION, EntriesResource.BASE + "drills/" + id)
                .build();
    }

    private static Refusal exists(PublishedDrill drill) {
        return Refusal.of(
                AdminErrorCode.ALREADY_EXISTS,
                "started_at",
                drill.startedAt().toString(),
                "must differ: a run of " + drill.name() + " at this time was published before");
    }

    private DrillItem item(@Nullable Long id, PublishedDrill drill) {
        return new DrillItem(
                id,
                drill.name(),
                drill.title(),
                drill.target(),
                drill.startedAt().toString(),
                drill.endedAt().toString(),
                EnumNames.text(drill.verdict()),
                drill.sentence(),
                drill.promises().stream().map(PromiseVerdict::of).toList(),
                drill.report().isPresent() && id != null ? page(id) : null,
                archive.now().toString(),
                call.actor().name());
    }

    private static String page(long id) {
        return EntriesResource.BASE + "drills/" + id + "/report";
    }

    private static long number(String id) {
        if (!id.matches("[0-9]{1,18}")) {
            throw none(id);
        }
        return Long.parseLong(id);
    }

    private static Refusal none(String id) {
        return Refusal.of(AdminErrorCode.NOT_FOUND, "there is no drill " + id);
    }

    private static JsonNode tree(String json) {
        try {
            return MAPPER.readTree(json);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static PublishedDrill drill(JsonNode body) {
        JsonBody.requireFields(body, "a drill", FIELDS);
        Validator rules = new Validator();
        String name = text(rules, body, "drill", "drill");
        String title = text(rules, body, "title", "title");
        String target = body.hasNonNull("target") ? text(rules, body, "target", "target") : "";
        Instant startedAt = time(rules, body, "started_at");
        Instant endedAt = time(rules, body, "ended_at");
        Verdict verdict = verdict(rules, body, "verdict");
        String sentence = text(rules, body, "sentence", "sentence");
        List<JudgedPromise> promises = promises(rules, body.path("promises"));
        JsonNode journal = body.path("journal");
        rules.require(journal.isObject(), "journal", journal.getNodeType(), "must be an object");
        Optional<String> report =
                body.hasNonNull("report") ? Optional.of(text(rules, body, "report", "report")) : Optional.empty();
        rules.throwIfInvalid();
        return new PublishedDrill(
                name, title, target, startedAt, endedAt, verdict, sentence, promises, journal.toString(), report);
    }

    private static List<JudgedPromise> promises(Validator rules, JsonNode list) {
        List<JudgedPromise> promises = new ArrayList<>();
        boolean isList = list.isArray() && list.size() <= PublishedDrill.PROMISES_MAX;
        rules.require(
                isList,
                "promises",
                list.isArray() ? list.size() + " promises" : list.getNodeType(),
                "must be a list of at most " + PublishedDrill.PROMISES_MAX);
        for (int i = 0; isList && i < list.size(); i++) {
            String path = "promises[" + i + "].";
            JsonBody.requireFields(list.get(i), "promises[" + i + "]", PROMISE_FIELDS);
            promises.add(new JudgedPromise(
                    text(rules, list.get(i), "promise", path + "promise"),
                    verdict(rules, list.get(i), path + "verdict"),
                    text(rules, list.get(i), "description", path + "description")));
        }
        return promises;
    }

    private static String text(Validator rules, JsonNode object, String field, String path) {
        JsonNode value = object.path(field);
        rules.require(
                value.isTextual(),
                path,
                value.isMissingNode() ? "nothing" : value.getNodeType(),
                "must be a text and is required");
        return value.asText("");
    }

    private static Verdict verdict(Validator rules, JsonNode object, String path) {
        JsonNode value = object.path("verdict");
        Optional<Verdict> known = EnumNames.find(Verdict.class, value.asText());
        rules.require(
                value.isTextual() && known.isPresent(),
                path,
                value.isMissingNode() ? "nothing" : value.asText(),
                "must be one of " + EnumNames.list(Verdict.class));
        return known.orElse(Verdict.UNKNOWN);
    }

    private static Instant time(Validator rules, JsonNode object, String field) {
        JsonNode value = object.path(field);
        try {
            Instant time = Instant.parse(value.asText()).truncatedTo(ChronoUnit.MICROS);
            if (Query.isStorable(time)) {
                return time;
            }
        } catch (DateTimeException malformed) {
            // Refused below.
        }
        rules.require(
                false,
                field,
                value.isMissingNode() ? "nothing" : value.asText(),
                "must be an RFC 3339 time in UTC, from year 1 to 9999");
        return Instant.EPOCH;
    }
}
