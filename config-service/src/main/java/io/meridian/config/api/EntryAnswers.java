package io.meridian.config.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.rules.EntryDocument;
import io.meridian.config.rules.EntryKind;
import io.meridian.config.rules.EntryQueries.Found;
import io.meridian.config.rules.StoredEntry;
import io.meridian.model.rules.RuleEntry;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Parts of answers about entries. */
final class EntryAnswers {
    /** Header of answers from the copy in memory: when the copy was last known to be current. */
    static final String AS_OF = "X-Meridian-As-Of";

    static final String DRY_RUN = "X-Meridian-Dry-Run";
    static final String REVISION = "X-Meridian-Revision";

    private EntryAnswers() {}

    static Response.ResponseBuilder stored(Response.ResponseBuilder answer, StoredEntry stored) {
        return answer.header(HttpHeaders.ETAG, stored.etag())
                .entity(EntryDocument.write(stored).toString());
    }

    /** The answer to a change. */
    static Response.ResponseBuilder changed(
            Response.ResponseBuilder answer, StoredEntry stored, List<String> warnings) {
        ObjectNode json = EntryDocument.write(stored);
        warnings.forEach(json.putArray("warnings")::add);
        return answer.header(HttpHeaders.ETAG, stored.etag()).entity(json.toString());
    }

    static Response.ResponseBuilder asOf(Response.ResponseBuilder answer, Optional<Instant> asOf) {
        asOf.ifPresent(time -> answer.header(AS_OF, time.toString()));
        return answer;
    }

    /** The answer to a GET of one entry, 304 where the caller has this version already. */
    static Response found(RuleEntry.Key key, Found found, HttpHeaders headers) {
        StoredEntry stored = found.entry().orElseThrow(() -> missing(key));
        Response.ResponseBuilder answer = Preconditions.isKnown(headers, stored.etag())
                ? Response.notModified().header(HttpHeaders.ETAG, stored.etag())
                : stored(Response.ok(), stored);
        return asOf(answer, found.asOf()).build();
    }

    private static Refusal missing(RuleEntry.Key key) {
        return Refusal.of(AdminErrorCode.NOT_FOUND, "there is no " + EntryKind.describe(key));
    }

    /** The path of an entry. */
    static String path(RuleEntry.Key key) {
        String id = URLEncoder.encode(EntryKind.id(key), StandardCharsets.UTF_8).replace("+", "%20");
        return EntriesResource.BASE + EntryKind.of(key).collection() + "/" + id;
    }
}
