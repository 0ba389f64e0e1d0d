package io.meridian.config.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.rulebook.EntryForm;
import io.meridian.config.rulebook.EntryIds;
import io.meridian.config.rulebook.Found;
import io.meridian.config.rulebook.Kind;
import io.meridian.config.rulebook.Stored;
import io.meridian.model.rules.RuleEntry;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The parts of answers that entries share. */
final class Answers {
    /** Says that PostgreSQL is away and since when the answer may be out of date. */
    static final String AS_OF = "X-Meridian-As-Of";

    static final String DRY_RUN = "X-Meridian-Dry-Run";
    static final String REVISION = "X-Meridian-Revision";

    private Answers() {}

    static Response.ResponseBuilder stored(Response.ResponseBuilder answer, Stored stored) {
        return answer.header(HttpHeaders.ETAG, stored.etag())
                .entity(EntryForm.write(stored).toString());
    }

    /** The same for who changed it. */
    static Response.ResponseBuilder changed(Response.ResponseBuilder answer, Stored stored, List<String> warnings) {
        ObjectNode json = EntryForm.write(stored);
        warnings(json, warnings);
        return answer.header(HttpHeaders.ETAG, stored.etag()).entity(json.toString());
    }

    static void warnings(ObjectNode answer, List<String> warnings) {
        ArrayNode list = answer.putArray("warnings");
        warnings.forEach(list::add);
    }

    static Response.ResponseBuilder asOf(Response.ResponseBuilder answer, Optional<Instant> asOf) {
        asOf.ifPresent(time -> answer.header(AS_OF, time.toString()));
        return answer;
    }

    /** The answer to a question for one entry; without it where the caller has this version already. */
    static Response found(RuleEntry.Key key, Found found, HttpHeaders headers) {
        Stored stored = found.entry().orElseThrow(() -> missing(key));
        Response.ResponseBuilder answer = Preconditions.isKnown(headers, stored.etag())
                ? Response.notModified().header(HttpHeaders.ETAG, stored.etag())
                : stored(Response.ok(), stored);
        return asOf(answer, found.asOf()).build();
    }

    private static Refusal missing(RuleEntry.Key key) {
        return Refusal.of(ErrorCode.NOT_FOUND, "there is no " + Kind.of(key).label() + " " + EntryIds.of(key));
    }

    /** Where an entry is. */
    static String path(RuleEntry.Key key) {
        String id = URLEncoder.encode(EntryIds.of(key), StandardCharsets.UTF_8).replace("+", "%20");
        return EntriesResource.BASE + Kind.of(key).collection() + "/" + id;
    }
}
